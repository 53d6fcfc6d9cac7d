import { type EventType } from '@domain/events';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
/** pending: attempts are left; delivered: the receiver accepted it; failed: given up, unless a person asks again. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const ATTEMPT_TRIGGERS = ['automatic', 'manual'] as const;
export type AttemptTrigger = (typeof ATTEMPT_TRIGGERS)[number];

/** One request to the receiver. */
export interface DeliveryAttempt {
  at: Date;
  trigger: AttemptTrigger;
  durationMs: number;
  /** HTTP status; null without a response. */
  status: number | null;
  /** Why it counts as a failure; null when it was a success. */
  error: { code: string; message: string } | null;
  /** The beginning of the response, as text (UTF-8). */
  response: string;
  /** Whether the response was longer. */
  truncated: boolean;
}

/** Retention time of deliveries: 30 days. */
export const RETENTION_SECONDS = 30 * 86_400;
/** Maximum number of stored attempts of a delivery; the latest are kept. */
export const MAX_STORED_ATTEMPTS = 30;

const someDate = { $gt: new Date(0) };

/** One event for one webhook. Each attempt sends the same bytes of the body. */
@Collection('webhook_deliveries', {
  tenant: true,
  indexes: [
    {
      serves: 'one delivery for each event and webhook',
      fields: { workspaceId: 1, eventId: 1, webhookId: 1 },
      unique: true,
    },
    { serves: 'the log of a webhook, latest first', fields: { workspaceId: 1, webhookId: 1, createdAt: -1, _id: -1 } },
    {
      // The state is part of the fields: two indexes of the same fields would have the same name.
      serves: 'the failed deliveries of a webhook, latest first',
      fields: { workspaceId: 1, webhookId: 1, state: 1, createdAt: -1, _id: -1 },
      where: { state: 'failed' },
    },
    {
      serves: 'the due deliveries, oldest first',
      fields: { workspaceId: 1, webhookId: 1, nextAttemptAt: 1 },
      where: { nextAttemptAt: someDate },
    },
    {
      serves: 'the deliveries with a pending manual attempt',
      fields: { workspaceId: 1, webhookId: 1, manualAt: 1 },
      where: { manualAt: someDate },
    },
    { serves: 'retention of deliveries', fields: { createdAt: 1 }, expireAfterSeconds: RETENTION_SECONDS },
  ],
  impersonal: {
    'a constant': ['type'],
  },
})
export class WebhookDeliveryRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  webhookId!: Types.ObjectId;

  /** Also the `webhook-id` of every attempt and the `id` in the body. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  eventId!: Types.ObjectId;

  @Prop({ type: String, required: true })
  type!: EventType;

  /** The lead whose data is in the body. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  leadId!: Types.ObjectId | null;

  @Prop({ type: String, required: true })
  body!: string;

  @Prop({ type: String, required: true, enum: DELIVERY_STATES })
  state!: DeliveryState;

  /** Automatic attempts since its schedule began. */
  @Prop({ type: Number, required: true })
  attemptsMade!: number;

  /** All attempts so far, including manual ones. */
  @Prop({ type: Number, required: true })
  attemptCount!: number;

  /** When the next automatic attempt is due; absent without one. */
  @Prop({ type: Date })
  nextAttemptAt?: Date;

  /** When a person requested the pending manual attempt; absent once it was made. */
  @Prop({ type: Date })
  manualAt?: Date;

  /** Oldest first. */
  @Prop({
    type: [
      new Schema(
        {
          at: Date,
          trigger: String,
          durationMs: Number,
          status: Number,
          error: new Schema({ code: String, message: String }, { _id: false, id: false }),
          response: String,
          truncated: Boolean,
        },
        { _id: false, id: false },
      ),
    ],
    required: true,
  })
  attempts!: DeliveryAttempt[];

  @Prop({ type: Date, default: null })
  deliveredAt!: Date | null;

  /** The figure of the webhook's statistics that includes this delivery. */
  @Prop({ type: String, default: null, enum: ['delivered', 'failed', null] })
  countedAs!: 'delivered' | 'failed' | null;

  @Prop({ type: Date })
  createdAt!: Date;
}
