import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { WorkPartitionFields } from '@platform/work-partitions';
import { Schema, type Types } from 'mongoose';

/** Use of the budget in five minutes. */
export interface BudgetSlot {
  /** When the five minutes begin. */
  at: Date;
  used: number;
}

/** The server refuses mail from the mailbox until a time. */
export interface Cooldown {
  /** No handover before. */
  until: Date;
  /** The last reply of the server. */
  reason: string;
  /** Consecutive refusals; an accepted email, or one refused for its own content or recipient, resets it. */
  count: number;
  /** The first of them. */
  since: Date;
}

/**
 * The lease of a mailbox, with its next run and used budget. Only the holder of the lease sends from the mailbox. Each
 * email (campaign, reply, warmup) uses the budget before it is sent.
 */
@Collection('mailbox_leases', {
  tenant: true,
  indexes: [
    {
      serves: 'mailboxes whose run is due, the longest overdue first',
      fields: { nextAt: 1, _id: 1 },
      due: 'mailbox-send',
    },
    { serves: 'the mailbox leases of a workspace', fields: { workspaceId: 1, _id: 1 } },
  ],
  impersonal: {
    'a worker': ['holder'],
    'limits and stops of the workspace’s own mailbox': ['day', 'stopped', 'cooldown'],
  },
})
export class MailboxLeaseRecord extends WorkPartitionFields {
  /** The mailbox. */
  @Prop({ type: Schema.Types.ObjectId, required: true })
  override _id!: Types.ObjectId;

  /** The run that was scheduled at the last acquisition; absent or in the future when its job was obsolete. */
  @Prop({ type: Date })
  plannedFor?: Date;

  /**
   * The last run sent nothing, and the next one may send nothing either: it only polls, or retries a failure.
   */
  @Prop({ type: Boolean, default: false })
  isPoll?: boolean;

  /** When the budget was last used. */
  @Prop({ type: Date, default: null })
  lastSentAt!: Date | null;

  /** The use before: `lastSentAt` returns to it when the last use is released. */
  @Prop({ type: Date, default: null })
  sentBefore?: Date | null;

  /** YYYY-MM-DD in the mailbox's zone that `dayUsed` belongs to. */
  @Prop({ type: String, default: '' })
  day!: string;

  @Prop({ type: Number, required: true, default: 0 })
  dayUsed!: number;

  /** Warmup mails among them. */
  @Prop({ type: Number, default: 0 })
  dayWarmup?: number;

  /** Use of the last 24 hours, oldest first. */
  @Prop({
    type: [new Schema({ at: Date, used: Number }, { _id: false, id: false })],
    required: true,
    default: [],
  })
  slots!: BudgetSlot[];

  /** Claims of the last minute; stored where the provider has a limit per minute. */
  @Prop({ type: [Date], required: true, default: [] })
  recent!: Date[];

  /** Why sending is stopped: a server's refusal that concerns the sender. A person resumes it. */
  @Prop({
    type: new Schema({ code: String, message: String, at: Date }, { _id: false, id: false }),
    default: null,
  })
  stopped!: { code: string; message: string; at: Date } | null;

  @Prop({
    type: new Schema({ until: Date, reason: String, count: Number, since: Date }, { _id: false, id: false }),
    default: null,
  })
  cooldown?: Cooldown | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
