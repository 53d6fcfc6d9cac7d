import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/**
 * `claimed`: a turn has taken it; `wire`: the server is being given the message; `sent`: it has accepted it; `retry`: tried
 * again later; `failed`: refused for good; `ambiguous`: given, but no answer came; `sent_unconfirmed`: still no proof after
 * six hours, counts as sent; `withheld`: a pause or a stop came before the wire, and the turn that had it has not let go of its
 * lead yet; `planned`: it did not come to the wire, and its lead is free.
 */
export const SEND_STATES = [
  'claimed',
  'wire',
  'sent',
  'retry',
  'failed',
  'ambiguous',
  'sent_unconfirmed',
  'withheld',
  'planned',
] as const;
export type SendState = (typeof SEND_STATES)[number];

/** The server's last words about it. */
export interface LastReply {
  code: string | null;
  enhancedCode: string | null;
  command: string | null;
  response: string;
}

/** It was accepted and came back later. */
export interface SendReturn {
  /** `hard`, `soft`, `policy` or `complaint`. */
  verdict: string;
  /** The rule that decided. */
  rule: string;
  /** What the other side's server said, as far as it is known. */
  diagnostic: string | null;
  at: Date;
}

/** Limits that an email counts for, and the day of the campaign's zone that it counts for. */
export interface SendPlaces {
  /** YYYY-MM-DD */
  day: string;
  names: string[];
}

const text = { type: String, default: null };

/** One email of one step to one lead. There is never a second one. */
@Collection('sends', {
  tenant: true,
  indexes: [
    { serves: 'that a step is sent to a lead once', fields: { workspaceId: 1, leadId: 1, stepId: 1 }, unique: true },
    {
      serves: 'what a mailbox has on its way, and what a pause in the workspace must withhold',
      fields: { workspaceId: 1, mailboxId: 1 },
      where: { state: { $in: ['claimed', 'wire', 'withheld'] } },
    },
    {
      serves: 'sends whose outcome is to be found out',
      fields: { lookAt: 1 },
      due: 'send-resolution',
      where: { state: 'ambiguous' },
    },
    { serves: 'the send that a reply or a bounce refers to', fields: { workspaceId: 1, messageId: 1 } },
    {
      serves: 'the send that an answer in the same conversation of the provider refers to',
      fields: { workspaceId: 1, mailboxId: 1, providerThreadId: 1 },
      where: { providerThreadId: { $gt: '' } },
    },
    {
      serves: 'the sends of a campaign, newest first',
      fields: { workspaceId: 1, campaignId: 1, createdAt: -1, _id: -1 },
    },
    {
      serves: 'what machines opened of a campaign, by time',
      fields: { workspaceId: 1, campaignId: 1, machineOpenedAt: 1 },
      where: { machineOpenedAt: { $gt: new Date(0) } },
    },
    {
      serves: 'what machines clicked of a campaign, by time',
      fields: { workspaceId: 1, campaignId: 1, machineClickedAt: 1 },
      where: { machineClickedAt: { $gt: new Date(0) } },
    },
  ],
})
export class SendRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  campaignId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  leadId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  stepId!: Types.ObjectId;

  /** Place of the step when it was claimed, from 0. */
  @Prop({ type: Number, required: true })
  stepOrder!: number;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  variantId!: Types.ObjectId;

  @Prop({ type: Number, required: true })
  sequenceVersion!: number;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  /** The recipient, in its normal form. */
  @Prop({ type: String, required: true })
  email!: string;

  @Prop({ type: String, enum: SEND_STATES, required: true })
  state!: SendState;

  /** Number of the turn that holds it: a late write of an earlier one is without effect. */
  @Prop({ type: Number, required: true })
  fence!: number;

  /** Attempts, this one included. */
  @Prop({ type: Number, required: true, default: 1 })
  attempt!: number;

  /** With angle brackets; the same for every attempt. */
  @Prop({ type: String, required: true })
  messageId!: string;

  @Prop({ type: String, default: '' })
  subject!: string;

  /** Targets of the links in it, by number: a tracked link leads to one of them and nowhere else. */
  @Prop({ type: [String], default: [] })
  links!: string[];

  /** The vendor's draft, while it is not known whether it was sent. */
  @Prop(text)
  draftId!: string | null;

  @Prop(text)
  providerMessageId!: string | null;

  @Prop(text)
  providerThreadId!: string | null;

  @Prop({
    type: new Schema({ code: text, enhancedCode: text, command: text, response: String }, { _id: false, id: false }),
    default: null,
  })
  words!: LastReply | null;

  /** Why it is not sent: one sentence. */
  @Prop(text)
  reason!: string | null;

  @Prop({ type: Date, required: true })
  claimedAt!: Date;

  @Prop({ type: Date, default: null })
  wireAt!: Date | null;

  /** Places that it has in daily limits of its campaign, as they were when it was claimed. */
  @Prop({
    type: new Schema({ day: String, names: [String] }, { _id: false, id: false }),
    default: null,
  })
  places!: SendPlaces | null;

  /** Whether nothing had been sent to the lead before. */
  @Prop({ type: Boolean, default: false })
  wasNew?: boolean;

  /** When the server accepted it, or when it counted as sent. */
  @Prop({ type: Date, default: null })
  sentAt!: Date | null;

  /** Ambiguous sends: when to look for it next. */
  @Prop({ type: Date, default: null })
  lookAt!: Date | null;

  /** Ambiguous sends: when something came in that shows that it was sent. Absent before. */
  @Prop({ type: Date })
  provenAt?: Date;

  /** Absent while nothing came back. */
  @Prop({ type: new Schema({ verdict: String, rule: String, diagnostic: text, at: Date }, { _id: false, id: false }) })
  returned?: SendReturn;

  /** What was noticed of it first, each absent before: by people, and apart from them by machines. */
  @Prop({ type: Date })
  openedAt?: Date;

  @Prop({ type: Date })
  clickedAt?: Date;

  @Prop({ type: Date })
  machineOpenedAt?: Date;

  @Prop({ type: Date })
  machineClickedAt?: Date;

  /** When so many hits of it had been stored that few more are; absent before. */
  @Prop({ type: Date })
  hitsFullAt?: Date;

  /** When its link for unsubscribing was first used; absent before. */
  @Prop({ type: Date })
  unsubscribedAt?: Date;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
