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
  /** HTTP status; null when no answer came. */
  status: number | null;
  /** Why it counts as a failure; null when it was a success. */
  error: { code: string; message: string } | null;
  /** The beginning of the answer, as text (UTF-8). */
  response: string;
  /** Whether there was more of it. */
  truncated: boolean;
}

/** For how many seconds deliveries are kept: 30 days. */
export const RETENTION_SECONDS = 30 * 86_400;
/** Attempts that are kept of one delivery, the latest. */
export const MAX_STORED_ATTEMPTS = 30;

const someDate = { $gt: new Date(0) };

/** One event on its way to one webhook. The body is what the receiver gets, at each attempt the same bytes. */
@Collection('webhook_deliveries', {
  tenant: true,
  indexes: [
    {
      serves: 'that an event has one delivery for each webhook',
      fields: { workspaceId: 1, eventId: 1, webhookId: 1 },
      unique: true,
    },
    { serves: 'the log of a webhook, latest first', fields: { workspaceId: 1, webhookId: 1, createdAt: -1, _id: -1 } },
    {
      // With the state in it: two indexes of the same fields would be of the same name.
      serves: 'what a webhook did not accept, latest first',
      fields: { workspaceId: 1, webhookId: 1, state: 1, createdAt: -1, _id: -1 },
      where: { state: 'failed' },
    },
    {
      serves: 'what is due, oldest first',
      fields: { workspaceId: 1, webhookId: 1, nextAttemptAt: 1 },
      where: { nextAttemptAt: someDate },
    },
    {
      serves: 'what a person asked for again',
      fields: { workspaceId: 1, webhookId: 1, manualAt: 1 },
      where: { manualAt: someDate },
    },
    { serves: 'that the log ends', fields: { createdAt: 1 }, expireAfterSeconds: RETENTION_SECONDS },
  ],
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

  /** All attempts there ever were, manual ones included. */
  @Prop({ type: Number, required: true })
  attemptCount!: number;

  /** When the next automatic attempt is due; absent when there is none. */
  @Prop({ type: Date })
  nextAttemptAt?: Date;

  /** A person asked for an attempt then; absent when it was made. */
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

  /** Where it is counted in the webhook's stats. */
  @Prop({ type: String, default: null, enum: ['delivered', 'failed', null] })
  countedAs!: 'delivered' | 'failed' | null;

  @Prop({ type: Date })
  createdAt!: Date;
}
