import { type EventType } from '@domain/events';
import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

export const WEBHOOK_STATUSES = ['active', 'inactive'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

/** Why a webhook is inactive: a person, a 410 Gone, or days of failures only. */
export const DISABLED_REASONS = ['person', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** The events of a webhook from a time on; none while it was inactive. */
export interface WebhookPeriod {
  from: Date;
  events: EventType[];
}

export interface WebhookStats {
  /** Deliveries that the receiver accepted, each once. */
  totalDelivered: number;
  /** Deliveries that failed for good; one that is accepted later moves to the delivered ones. */
  totalFailed: number;
  lastDeliveredAt: Date | null;
}

/** Why an attempt failed. */
export interface WebhookLastError {
  at: Date;
  /** HTTP status; null without a response. */
  status: number | null;
  error: { code: string; message: string };
}

/** A receiver address of a workspace. */
@Collection('webhooks', {
  tenant: true,
  indexes: [
    { serves: 'the webhooks of a workspace, latest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
  ],
  impersonal: {
    'the workspace’s own receiver': ['name', 'url', 'events', 'periods', 'lastError'],
    'sealed secrets': ['secret', 'previousSecret'],
    'a user of the workspace': ['createdBy'],
  },
})
export class WebhookRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, required: true })
  name!: string;

  @Prop({ type: String, required: true })
  url!: string;

  @Prop({ type: [String], required: true })
  events!: EventType[];

  /** Sealed (`webhookSecretOwner`). */
  @Prop({ type: String, required: true })
  secret!: string;

  /** Sealed: the secret before the last rotation. It signs too until `previousSecretUntil`. */
  @Prop({ type: String, default: null })
  previousSecret!: string | null;

  @Prop({ type: Date, default: null })
  previousSecretUntil!: Date | null;

  /** Retries after the first attempt. */
  @Prop({ type: Number, required: true })
  retryAttempts!: number;

  @Prop({ type: Number, required: true })
  timeoutMs!: number;

  @Prop({ type: String, required: true, enum: WEBHOOK_STATUSES })
  status!: WebhookStatus;

  @Prop({ type: Date, default: null })
  disabledAt!: Date | null;

  @Prop({ type: String, default: null, enum: [...DISABLED_REASONS, null] })
  disabledReason!: DisabledReason | null;

  /** Oldest first; the last one is in force. Periods that no pending event can need are dropped. */
  @Prop({
    type: [new Schema({ from: Date, events: [String] }, { _id: false, id: false })],
    required: true,
  })
  periods!: WebhookPeriod[];

  /** User id of the creator. */
  @Prop({ type: String, required: true })
  createdBy!: string;

  @Prop({
    type: new Schema({ totalDelivered: Number, totalFailed: Number, lastDeliveredAt: Date }, { _id: false, id: false }),
    required: true,
  })
  stats!: WebhookStats;

  /** Since when every attempt has failed; null while the last one was a success or there was none. */
  @Prop({ type: Date, default: null })
  failingSince!: Date | null;

  /** The receiver asked for a pause until then (`Retry-After`). */
  @Prop({ type: Date, default: null })
  cooldownUntil!: Date | null;

  /** The last attempt that failed, also when others succeeded since. */
  @Prop({ type: Schema.Types.Mixed, default: null })
  lastError!: WebhookLastError | null;

  @Prop({ type: Date })
  createdAt!: Date;

  /** When a person last changed it; deliveries do not count. */
  @Prop({ type: Date })
  updatedAt!: Date;
}
