import { CRM_TYPES, type CrmType } from '@adapters/crm';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { WorkPartitionFields } from '@platform/work-partitions';

/** The sequential work of a workspace with one CRM, whose limits apply to all of it. */
@Collection('crm_work_partitions', {
  tenant: true,
  indexes: [
    {
      serves: 'work partitions with due work, oldest first',
      fields: { nextAt: 1, _id: 1 },
      due: 'crm-work',
      where: { nextAt: { $gt: new Date(0) } },
    },
    { serves: 'the lease to a CRM, of which there is one', fields: { workspaceId: 1, crmType: 1 }, unique: true },
  ],
  impersonal: {
    'a worker': ['holder'],
  },
})
export class CrmWorkPartitionRecord extends WorkPartitionFields {
  @Prop({ type: String, enum: CRM_TYPES, required: true })
  crmType!: CrmType;

  /** Grows with each schedule: of two concurrent transactions one is retried and sees the other. */
  @Prop({ type: Number, default: 0 })
  revision!: number;

  /** No request to the CRM before then: the vendor asked for a pause or did not answer. Null: none. */
  @Prop({ type: Date, default: null })
  cooldownUntil!: Date | null;

  /** Consecutive failures. */
  @Prop({ type: Number, default: 0 })
  failures!: number;

  /** The connection was removed: its links have to be deleted. */
  @Prop({ type: Boolean })
  deletesLinks?: boolean;
}
