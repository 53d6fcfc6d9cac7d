import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { counterpart, type Counterpart, RETENTION_SECONDS } from './warmup-thread.record';

/** Which side of a mail a record is: that of who sent it, or of who got it. */
export const MAIL_DIRECTIONS = ['sent', 'received'] as const;
export type MailDirection = (typeof MAIL_DIRECTIONS)[number];

/**
 * Of the sender's side: `planned`; `claimed`: a worker has it in hand; `sent`: the server has accepted it; `failed`: given up;
 * `ambiguous`: given to the server, but no answer came: written before it is given, and kept when none comes. Of the receiver's
 * side: `received`, from the first.
 */
const WARMUP_MAIL_STATES = ['planned', 'claimed', 'sent', 'failed', 'ambiguous', 'received'] as const;
export type WarmupMailState = (typeof WARMUP_MAIL_STATES)[number];

/** Where the receiver found a mail; `unknown`: its server does not tell. */
export const PLACEMENTS = ['inbox', 'promotions', 'spam', 'unknown'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/** What a mail that was accepted, and is not where it was sent to, counts as. */
const LOSSES = ['bounced', 'blocked'] as const;
export type Loss = (typeof LOSSES)[number];

const EVER = { $gt: new Date(0) };
const moment = { type: Date };

/**
 * A warmup mail, as one of its two mailboxes knows it: the sender has one record, and the receiver, who may be of another
 * workspace, one of its own, so that whichever of the two is deleted takes its own with it.
 */
@Collection('warmup_mails', {
  tenant: true,
  indexes: [
    {
      serves: 'that each place in a thread is planned, sent and received once',
      fields: { threadId: 1, position: 1, direction: 1 },
      unique: true,
    },
    {
      serves: 'that a Message-ID is used once, and the mail that a message found in a mailbox, or a bounce, refers to',
      fields: { messageId: 1, direction: 1 },
      unique: true,
      where: { messageId: { $gt: '' } },
    },
    {
      serves: 'what a mailbox is to send next; what a pause takes back',
      fields: { workspaceId: 1, mailboxId: 1, dueAt: 1, _id: 1 },
      where: { state: 'planned' },
    },
    {
      serves: 'what a mailbox has in hand, or does not know the outcome of',
      fields: { workspaceId: 1, mailboxId: 1 },
      where: { state: { $in: ['claimed', 'ambiguous'] } },
    },
    {
      serves: 'mailboxes that have to send or to look after what a dead worker left, in all workspaces',
      fields: { dueAt: 1, _id: 1 },
      due: 'warmup-turn',
      where: { dueAt: EVER },
    },
    {
      serves: 'received mails that are to be opened, in all workspaces',
      fields: { opensAt: 1, _id: 1 },
      due: 'warmup-opening',
      where: { opensAt: EVER },
    },
    {
      serves: 'the activity of a mailbox, newest first',
      fields: { workspaceId: 1, mailboxId: 1, at: -1, _id: -1 },
      where: { at: EVER },
    },
    { serves: 'that mails are forgotten', fields: { createdAt: 1 }, expireAfterSeconds: RETENTION_SECONDS },
    { serves: 'the erasure of a mailbox', fields: { workspaceId: 1, mailboxId: 1, _id: 1 } },
  ],
})
export class WarmupMailRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /** Whose side this is. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  @Prop({ type: String, enum: MAIL_DIRECTIONS, required: true })
  direction!: MailDirection;

  /** The same on both sides: the `_id` of the sender's record, and what the mail's header names. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailId!: Types.ObjectId;

  @Prop({ type: new Schema(counterpart, { _id: false, id: false }), required: true })
  counterpart!: Counterpart;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  threadId!: Types.ObjectId;

  /** Its place in the thread: 0 begins it, the others answer. */
  @Prop({ type: Number, required: true })
  position!: number;

  @Prop({ type: String, enum: WARMUP_MAIL_STATES, required: true })
  state!: WarmupMailState;

  /** Sender: YYYY-MM-DD in its zone that the mail counts for. Receiver: the day on which it was found. */
  @Prop({ type: String, required: true })
  day!: string;

  /** Sender of an opening: its time in the plan of the day. */
  @Prop(moment)
  plannedFor?: Date;

  /** Sender: not before this; absent once it is known what became of it. */
  @Prop(moment)
  dueAt?: Date;

  /** Sender: how often it was tried to give it to a server. */
  @Prop({ type: Number, required: true, default: 0 })
  attempt!: number;

  /** Number of the turn that claimed it: a late write of an earlier one is without effect. */
  @Prop({ type: Number })
  fence?: number;

  @Prop(moment)
  claimedAt?: Date;

  /** With angle brackets; the same for every attempt. '' while it is planned. */
  @Prop({ type: String, default: '' })
  messageId!: string;

  @Prop({ type: String, default: '' })
  subject!: string;

  /** Sender: what its server said when it refused, or why it was given up. */
  @Prop({ type: String, default: null })
  reason!: string | null;

  /** Sender: what it counts as since it came back, or was missed where it should have been found; absent unless so. */
  @Prop({ type: String, enum: LOSSES })
  lostAs?: Loss;

  /** When it was sent, given up or found: what the activity is ordered by. Absent before. */
  @Prop(moment)
  at?: Date;

  /** Both sides: where the receiver found it; null before. */
  @Prop({ type: String, enum: [...PLACEMENTS, null], default: null })
  placement!: Placement | null;

  /** Both sides, each absent before: found, moved out of spam, opened, answered. */
  @Prop(moment)
  receivedAt?: Date;

  @Prop(moment)
  rescuedAt?: Date;

  @Prop(moment)
  openedAt?: Date;

  @Prop(moment)
  answeredAt?: Date;

  /** Receiver: when it is to be opened; absent once that is done. */
  @Prop(moment)
  opensAt?: Date;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
