import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** Emails that were taken from the budget in five minutes. */
export interface BudgetSlot {
  /** When the five minutes begin. */
  at: Date;
  used: number;
}

/** The server wants nothing from the mailbox for a while. */
export interface Cooldown {
  /** Nothing is tried before. */
  until: Date;
  /** What it said last. */
  reason: string;
  /** Times in a row that it has said so: an email that it accepts, or refuses for its own sake, begins anew. */
  count: number;
  /** When it said so first. */
  since: Date;
}

/**
 * Whose turn it is in a mailbox, and what it has used of its budget. Whoever holds the lease is the only one that sends from
 * the mailbox; all that an email is (campaign, reply, warmup) is taken from this budget before it is sent.
 */
@Collection('mailbox_turns', {
  tenant: true,
  indexes: [
    {
      serves: 'mailboxes whose turn is due, those due for longest first',
      fields: { nextAt: 1, _id: 1 },
      due: 'mailbox-turn',
    },
    { serves: 'the turns of a workspace', fields: { workspaceId: 1, _id: 1 } },
  ],
})
export class MailboxLeaseRecord {
  /** The mailbox. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  /**
   * When it can next do something; null while there is nothing to do. During a turn it lies in the past, so that a turn
   * whose worker dies is found.
   */
  @Prop({ type: Date, default: null })
  nextAt!: Date | null;

  /**
   * Nothing came of its last turn, and it is not known that anything will of the next: it only looks, or tries again what
   * went wrong.
   */
  @Prop({ type: Boolean, default: false })
  isTrial?: boolean;

  /** The earliest moment for which it was woken since the last turn began: what the turn itself may not have seen yet. */
  @Prop({ type: Date, default: null })
  wokenFor!: Date | null;

  /** What was planned when the last turn began; null or later than its begin when its job came for nothing. */
  @Prop({ type: Date, default: null })
  plannedFor!: Date | null;

  /** Who holds the lease; meaningless once it has run out. */
  @Prop({ type: String, default: '' })
  holder!: string;

  /** Grows with each new holder, and once more at the end of a turn: nobody writes under the number of one that is over. */
  @Prop({ type: Number, required: true, default: 0 })
  fence!: number;

  @Prop({ type: Date, required: true, default: new Date(0) })
  leaseUntil!: Date;

  /** When the budget was last used. */
  @Prop({ type: Date, default: null })
  lastSentAt!: Date | null;

  /** When it was used before that: what `lastSentAt` is again when the last use is given back. */
  @Prop({ type: Date, default: null })
  sentBefore?: Date | null;

  /** YYYY-MM-DD in the mailbox's zone that `dayUsed` belongs to. */
  @Prop({ type: String, default: '' })
  day!: string;

  @Prop({ type: Number, required: true, default: 0 })
  dayUsed!: number;

  /** Of these, the mails of warmup. */
  @Prop({ type: Number, default: 0 })
  dayWarmup?: number;

  /** Use of the last 24 hours, oldest first. */
  @Prop({
    type: [new Schema({ at: Date, used: Number }, { _id: false, id: false })],
    required: true,
    default: [],
  })
  slots!: BudgetSlot[];

  /** When the emails of the last minute were taken; kept where the provider has a limit per minute. */
  @Prop({ type: [Date], required: true, default: [] })
  recent!: Date[];

  /** Sending is stopped because a server refused for a reason that is the sender's: what it said. A person resumes. */
  @Prop({
    type: new Schema({ code: String, message: String, at: Date }, { _id: false, id: false }),
    default: null,
  })
  stopped!: { code: string; message: string; at: Date } | null;

  @Prop({
    type: new Schema({ until: Date, reason: String, count: Number, since: Date }, { _id: false, id: false }),
    default: null,
  })
  rest?: Cooldown | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
