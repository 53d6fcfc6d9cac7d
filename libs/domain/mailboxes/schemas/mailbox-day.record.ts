import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';

/** The figures per mailbox and day. */
export const MAILBOX_FIGURES = ['sent', 'received', 'opened', 'clicked', 'replied', 'bounced', 'failed'] as const;
export type MailboxFigure = (typeof MAILBOX_FIGURES)[number];

const whole = { type: Number, required: true, default: 0 };

/** One mailbox on one day of its time zone. */
@Collection('mailbox_days', {
  tenant: true,
  indexes: [
    {
      serves: 'the figures of one mailbox, by day',
      fields: { workspaceId: 1, mailboxId: 1, day: -1 },
      unique: true,
    },
    { serves: 'the figures of all mailboxes of a day', fields: { workspaceId: 1, day: -1 } },
  ],
  impersonal: {
    'a day': ['day'],
  },
})
export class MailboxDayRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  mailboxId!: Types.ObjectId;

  /** YYYY-MM-DD in the zone that the mailbox had at the time. */
  @Prop({ type: String, required: true })
  day!: string;

  @Prop(whole)
  sent!: number;

  @Prop(whole)
  received!: number;

  @Prop(whole)
  opened!: number;

  @Prop(whole)
  clicked!: number;

  @Prop(whole)
  replied!: number;

  @Prop(whole)
  bounced!: number;

  @Prop(whole)
  failed!: number;

  /** Warmup mails, which count against the daily limit and in no other figure. Absent before the first. */
  @Prop({ type: Number })
  warmup?: number;
}
