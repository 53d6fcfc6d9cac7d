import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { WorkPartitionFields } from '@platform/work-partitions';

/**
 * A leased share of the work of a workspace. There are few per workspace, so that no workspace occupies all workers.
 */
@Collection('enrichment_work_partitions', {
  tenant: true,
  indexes: [
    {
      serves: 'partitions with due work, oldest first',
      fields: { nextAt: 1, _id: 1 },
      due: 'enrichment-work',
      where: { nextAt: { $gt: new Date(0) } },
    },
    { serves: 'the partitions of a workspace, each number once', fields: { workspaceId: 1, number: 1 }, unique: true },
  ],
  impersonal: {
    'a worker': ['holder'],
  },
})
export class EnrichmentWorkPartitionRecord extends WorkPartitionFields {
  /** Partition number, from 0. */
  @Prop({ type: Number, required: true })
  number!: number;
}
