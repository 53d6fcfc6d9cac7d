import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { counterpart, type Counterpart, RETENTION_SECONDS } from './warmup-thread.record';

/** Side of a mail: its sender's or its receiver's record. */
export const MAIL_DIRECTIONS = ['sent', 'received'] as const;
export type MailDirection = (typeof MAIL_DIRECTIONS)[number];

/**
 * Sender's side: `planned`; `claimed` by a worker; `sent`: accepted by the server; `failed`; `ambiguous`: written before the
 * handover, and kept when the server gives no answer. Receiver's side: always `received`.
 */
const WARMUP_MAIL_STATES = ['planned', 'claimed', 'sent', 'failed', 'ambiguous', 'received'] as const;
export type WarmupMailState = (typeof WARMUP_MAIL_STATES)[number];

/** Folder in which the receiver found a mail; `unknown`: its server does not report it. */
export const PLACEMENTS = ['inbox', 'promotions', 'spam', 'unknown'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/** Figure of a mail that was accepted but did not arrive. */
const LOSSES = ['bounced', 'blocked'] as const;
export type Loss = (typeof LOSSES)[number];

const EVER = { $gt: new Date(0) };
const moment = { type: Date };

/**
 * A warmup mail, as one of its two mailboxes knows it. Sender and receiver, who may be in different workspaces, have one record
 * each, which is erased with its mailbox.
 */
@Collection('warmup_mails', {
  tenant: true,
  indexes: [
    {
      serves: 'one mail per position and side of a thread',
      fields: { threadId: 1, position: 1, direction: 1 },
      unique: true,
    },
    {
      serves: 'unique Message-IDs; the mail of a found message or a bounce',
      fields: { messageId: 1, direction: 1 },
      unique: true,
      where: { messageId: { $gt: '' } },
    },
    {
      serves: 'the next mail of a mailbox; the planned mails that a pause deletes',
      fields: { workspaceId: 1, mailboxId: 1, dueAt: 1, _id: 1 },
      where: { state: 'planned' },
    },
    {
      serves: 'claimed mails of a mailbox, and those with an unknown outcome',
      fields: { workspaceId: 1, mailboxId: 1 },
      where: { state: { $in: ['claimed', 'ambiguous'] } },
    },
    {
      serves: 'mailboxes with due mail or interrupted handovers, in all workspaces',
      fields: { dueAt: 1, _id: 1 },
      due: 'warmup-send',
      where: { dueAt: EVER },
    },
    {
      serves: 'received mails that are due to be opened, in all workspaces',
      fields: { opensAt: 1, _id: 1 },
      due: 'warmup-opening',
      where: { opensAt: EVER },
    },
    {
      serves: 'the activity of a mailbox, newest first',
      fields: { workspaceId: 1, mailboxId: 1, at: -1, _id: -1 },
      where: { at: EVER },
    },
    { serves: 'expiry of mails', fields: { createdAt: 1 }, expireAfterSeconds: RETENTION_SECONDS },
    { serves: 'the erasure of a mailbox', fields: { workspaceId: 1, mailboxId: 1, _id: 1 } },
  ],
  impersonal: {
    'mails between mailboxes of the installation': ['day', 'messageId', 'subject', 'reason'],
  },
})
export class WarmupMailRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** Side of the record. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  @Prop({ type: String, enum: MAIL_DIRECTIONS, required: true })
  direction!: MailDirection;

  /** Common to both sides: `_id` of the sender's record, and the id in the mail's header. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailId!: Types.ObjectId;

  @Prop({ type: new Schema(counterpart, { _id: false, id: false }), required: true })
  counterpart!: Counterpart;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  threadId!: Types.ObjectId;

  /** Position in the thread: 0 opens it, the others answer. */
  @Prop({ type: Number, required: true })
  position!: number;

  @Prop({ type: String, enum: WARMUP_MAIL_STATES, required: true })
  state!: WarmupMailState;

  /** Sender: YYYY-MM-DD in its zone for which the mail counts. Receiver: the day on which it was found. */
  @Prop({ type: String, required: true })
  day!: string;

  /** Sender of an opening: planned time. */
  @Prop(moment)
  plannedFor?: Date;

  /** Sender: earliest time; absent after the outcome is known. */
  @Prop(moment)
  dueAt?: Date;

  /** Sender: number of handover attempts. */
  @Prop({ type: Number, required: true, default: 0 })
  attempt!: number;

  /** Fence of the mailbox lease at the claim: late writes of an earlier holder have no effect. */
  @Prop({ type: Number })
  fence?: number;

  @Prop(moment)
  claimedAt?: Date;

  /** With angle brackets; the same for every attempt. '' before the first. */
  @Prop({ type: String, default: '' })
  messageId!: string;

  @Prop({ type: String, default: '' })
  subject!: string;

  /** Sender: the server's refusal, or why the mail was abandoned. */
  @Prop({ type: String, default: null })
  reason!: string | null;

  /** Sender: figure of a returned or missing mail; absent otherwise. */
  @Prop({ type: String, enum: LOSSES })
  lostAs?: Loss;

  /** When it was sent, abandoned or found; orders the activity. Absent before. */
  @Prop(moment)
  at?: Date;

  /** Both sides: folder in which the receiver found it; null before. */
  @Prop({ type: String, enum: [...PLACEMENTS, null], default: null })
  placement!: Placement | null;

  /** Both sides: times of receipt, rescue from spam, opening and answer; each absent before. */
  @Prop(moment)
  receivedAt?: Date;

  @Prop(moment)
  rescuedAt?: Date;

  @Prop(moment)
  openedAt?: Date;

  @Prop(moment)
  answeredAt?: Date;

  /** Receiver: when it is opened; absent afterwards. */
  @Prop(moment)
  opensAt?: Date;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
