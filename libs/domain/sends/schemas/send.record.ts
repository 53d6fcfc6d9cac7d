import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/**
 * `claimed`: a worker has claimed it; `sending`: its handover runs; `sent`: the server has accepted it; `retry`: another attempt
 * follows; `failed`: permanently refused; `ambiguous`: handed over, but the server gave no answer; `sent_unconfirmed`: no
 * proof after six hours, counts as sent; `withheld`: a pause or a stop came before the handover, and the lead is not released
 * yet; `planned`: it was not handed over, and its lead is released.
 */
export const SEND_STATES = [
  'claimed',
  'sending',
  'sent',
  'retry',
  'failed',
  'ambiguous',
  'sent_unconfirmed',
  'withheld',
  'planned',
] as const;
export type SendState = (typeof SEND_STATES)[number];

/** The last reply of a mail server. */
export interface LastReply {
  code: string | null;
  enhancedCode: string | null;
  command: string | null;
  response: string;
}

/** A bounce or complaint after the server had accepted the email. */
export interface SendReturn {
  /** `hard`, `soft`, `policy` or `complaint`. */
  verdict: string;
  /** The rule that decided. */
  rule: string;
  /** The reply of the recipient's server, if known. */
  diagnostic: string | null;
  at: Date;
}

/** The limits that an email uses, and the day in the campaign's zone. */
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
    { serves: 'at most one send per lead and step', fields: { workspaceId: 1, leadId: 1, stepId: 1 }, unique: true },
    {
      serves: 'the sends in flight of a mailbox, and those that a pause in the workspace must withhold',
      fields: { workspaceId: 1, mailboxId: 1 },
      where: { state: { $in: ['claimed', 'sending', 'withheld'] } },
    },
    {
      serves: 'sends whose resolution is due',
      fields: { resolveAt: 1 },
      due: 'send-resolution',
      where: { state: 'ambiguous' },
    },
    { serves: 'the send that a reply or a bounce refers to', fields: { workspaceId: 1, messageId: 1 } },
    {
      serves: 'the send that an answer in the same thread of the provider refers to',
      fields: { workspaceId: 1, mailboxId: 1, providerThreadId: 1 },
      where: { providerThreadId: { $gt: '' } },
    },
    {
      serves: 'the sends of a campaign, newest first',
      fields: { workspaceId: 1, campaignId: 1, createdAt: -1, _id: -1 },
    },
    {
      serves: 'opens by programs of a campaign, by time',
      fields: { workspaceId: 1, campaignId: 1, machineOpenedAt: 1 },
      where: { machineOpenedAt: { $gt: new Date(0) } },
    },
    {
      serves: 'clicks by programs of a campaign, by time',
      fields: { workspaceId: 1, campaignId: 1, machineClickedAt: 1 },
      where: { machineClickedAt: { $gt: new Date(0) } },
    },
  ],
  impersonal: {
    'our own random id': ['messageId'],
    'codes of a mail server and of our rules': [
      'lastReply.code',
      'lastReply.enhancedCode',
      'lastReply.command',
      'returned.verdict',
      'returned.rule',
    ],
  },
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

  /** Position of the step at the time of the claim, from 0. */
  @Prop({ type: Number, required: true })
  stepOrder!: number;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  variantId!: Types.ObjectId;

  @Prop({ type: Number, required: true })
  sequenceVersion!: number;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  /** The normalized address of the recipient. */
  @Prop({ type: String, required: true })
  email!: string;

  @Prop({ type: String, enum: SEND_STATES, required: true })
  state!: SendState;

  /** Fence of the mailbox lease: a late write under an earlier lease has no effect. */
  @Prop({ type: Number, required: true })
  fence!: number;

  /** Number of attempts, including the current one. */
  @Prop({ type: Number, required: true, default: 1 })
  attempt!: number;

  /** With angle brackets; the same for every attempt. */
  @Prop({ type: String, required: true })
  messageId!: string;

  @Prop({ type: String, default: '' })
  subject!: string;

  /** Targets of its links, by number: a tracked link redirects to one of them and nowhere else. */
  @Prop({ type: [String], default: [] })
  links!: string[];

  /** The provider's draft, until the outcome is known. */
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
  lastReply!: LastReply | null;

  /** Why it was not sent, as one sentence. */
  @Prop(text)
  reason!: string | null;

  @Prop({ type: Date, required: true })
  claimedAt!: Date;

  @Prop({ type: Date, default: null })
  handoverAt!: Date | null;

  /** The daily limits of its campaign that it uses, as of the claim. */
  @Prop({
    type: new Schema({ day: String, names: [String] }, { _id: false, id: false }),
    default: null,
  })
  places!: SendPlaces | null;

  /** Whether it is the first email to the lead. */
  @Prop({ type: Boolean, default: false })
  wasNew?: boolean;

  /** When the server accepted it, or when it counted as sent. */
  @Prop({ type: Date, default: null })
  sentAt!: Date | null;

  /** Ambiguous sends: when the next resolution is due. */
  @Prop({ type: Date, default: null })
  resolveAt!: Date | null;

  /** Ambiguous sends: when an answer, a bounce or an open proved the send. Absent before. */
  @Prop({ type: Date })
  provenAt?: Date;

  /** Absent before a bounce or complaint. */
  @Prop({ type: new Schema({ verdict: String, rule: String, diagnostic: text, at: Date }, { _id: false, id: false }) })
  returned?: SendReturn;

  /** First open and click, by people and by programs; each absent before. */
  @Prop({ type: Date })
  openedAt?: Date;

  @Prop({ type: Date })
  clickedAt?: Date;

  @Prop({ type: Date })
  machineOpenedAt?: Date;

  @Prop({ type: Date })
  machineClickedAt?: Date;

  /** When the number of stored hits reached its limit; absent before. */
  @Prop({ type: Date })
  hitsFullAt?: Date;

  /** When its unsubscribe link was first used; absent before. */
  @Prop({ type: Date })
  unsubscribedAt?: Date;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
