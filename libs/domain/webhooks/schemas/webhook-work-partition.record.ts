import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { WorkPartitionFields } from '@platform/work-partitions';
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
  impersonal: {
    'a worker': ['holder'],
  },
})
export class WebhookWorkPartitionRecord extends WorkPartitionFields {
  /** The webhook. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  override _id!: Types.ObjectId;

  /** When the webhook was deleted: its deliveries are erased first, this record last. */
  @Prop({ type: Date })
  deletedAt?: Date;
}
