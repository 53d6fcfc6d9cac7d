import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** Which worker delivers to a webhook, and when there is something to deliver. Written at each change: kept small. */
@Collection('webhook_lanes', {
  tenant: true,
  indexes: [
    {
      serves: 'webhooks that have something to deliver, oldest first',
      fields: { nextAt: 1, _id: 1 },
      due: 'webhook-lane',
      where: { nextAt: { $gt: new Date(0) } },
    },
    { serves: 'the partitions of a workspace', fields: { workspaceId: 1 } },
    {
      serves: 'webhooks that were deleted and have left something behind',
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

  /** When something is due; absent while nothing is. During a turn it lies in the past, so that one whose worker dies is found. */
  @Prop({ type: Date })
  nextAt?: Date;

  /** The earliest moment for which it was woken since the last turn began. */
  @Prop({ type: Date })
  wokenFor?: Date;

  /** Who holds the lease; meaningless once it has run out. */
  @Prop({ type: String, required: true })
  holder!: string;

  /** Grows with each new holder, and once more at the end of a turn. */
  @Prop({ type: Number, required: true })
  fence!: number;

  @Prop({ type: Date, required: true })
  leaseUntil!: Date;

  /** Its webhook was deleted then: what it left behind is being erased, this mark last. */
  @Prop({ type: Date })
  deletedAt?: Date;
}
