import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

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
})
export class EnrichmentWorkPartitionRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** Partition number, from 0. */
  @Prop({ type: Number, required: true })
  number!: number;

  /**
   * The next run; absent without work. During a run it is in the past, so that the sweep finds the partition of a
   * crashed worker.
   */
  @Prop({ type: Date })
  nextAt?: Date;

  /** The earliest time scheduled since the last run began. */
  @Prop({ type: Date })
  requestedFor?: Date;

  /** The holder of the lease; meaningless after its expiry. */
  @Prop({ type: String, required: true })
  holder!: string;

  /** Grows with each new holder, and at the end of a run. */
  @Prop({ type: Number, required: true })
  fence!: number;

  @Prop({ type: Date, required: true })
  leaseUntil!: Date;
}
