import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** The lease and the next run of a webhook. Written at each change, therefore small. */
@Collection('webhook_work_partitions', {
  tenant: true,
  indexes: [
    {
      serves: 'webhooks with due deliveries, oldest first',
      fields: { nextAt: 1, _id: 1 },
      due: 'webhook-work',
      where: { nextAt: { $gt: new Date(0) } },
    },
    { serves: 'the partitions of a workspace', fields: { workspaceId: 1 } },
    {
      serves: 'deleted webhooks whose deliveries are not yet erased',
      fields: { deletedAt: 1 },
      where: { deletedAt: { $gt: new Date(0) } },
    },
  ],
})
export class WebhookWorkPartitionRecord {
  /** The webhook. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** When work is due; absent without any. During a run it stays in the past, so that the sweep finds it after a crash. */
  @Prop({ type: Date })
  nextAt?: Date;

  /** The earliest run requested since the last run began. */
  @Prop({ type: Date })
  requestedFor?: Date;

  /** The lease holder; meaningless once the lease has expired. */
  @Prop({ type: String, required: true })
  holder!: string;

  /** Grows with each new holder, and at the end of a run. */
  @Prop({ type: Number, required: true })
  fence!: number;

  @Prop({ type: Date, required: true })
  leaseUntil!: Date;

  /** When the webhook was deleted: its deliveries are erased first, this record last. */
  @Prop({ type: Date })
  deletedAt?: Date;
}
