import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { REPORT_FREQUENCIES, type ReportPeriod } from '../content/report-shape';

/**
 * `planned`: it waits for its time or its next attempt; `handing`: a server is being given it, or was when a worker died; `sent`: a
 * server took it over; `unknown`: a server was given it and nobody knows whether it took it: it is not sent again; `failed`: given
 * up; `skipped`: the next one was due before it could be sent; `withheld`: somebody said that it must not be sent.
 */
export const REPORT_STATES = ['planned', 'handing', 'sent', 'unknown', 'failed', 'skipped', 'withheld'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

/** What a report ends in. */
export type FinalReportState = Exclude<ReportState, 'planned' | 'handing'>;

export const REPORT_TRIGGERS = ['schedule', 'manual'] as const;
export type ReportTrigger = (typeof REPORT_TRIGGERS)[number];

/** For how long it is told what was sent. */
const KEPT_SECONDS = 400 * 86_400;

/** One report to one recipient: what the schedule or a person has asked for, and what became of it. */
@Collection('reports', {
  tenant: true,
  indexes: [
    { serves: 'one report for each recipient and period', fields: { recipientId: 1, key: 1 }, unique: true },
    {
      serves: 'the reports of a recipient, newest first',
      fields: { workspaceId: 1, recipientId: 1, createdAt: -1, _id: -1 },
    },
    {
      serves: 'reports that are to be sent or looked for',
      fields: { dueAt: 1, _id: 1 },
      due: 'report-delivery',
      where: { dueAt: { $gt: new Date(0) } },
    },
    { serves: 'reports to an address that must not be written to any more', fields: { workspaceId: 1, email: 1 } },
    { serves: 'the end of what is kept', fields: { createdAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
  ],
})
export class ReportRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  recipientId!: Types.ObjectId;

  /** The period (`periodKey`), or which of those that were asked for by hand: never two alike for a recipient. */
  @Prop({ type: String, required: true })
  key!: string;

  @Prop({ type: String, required: true, enum: REPORT_TRIGGERS })
  trigger!: ReportTrigger;

  @Prop({
    type: new Schema(
      {
        frequency: { type: String, required: true, enum: REPORT_FREQUENCIES },
        first: { type: String, required: true },
        last: { type: String, required: true },
        timezone: { type: String, required: true },
      },
      { _id: false, id: false },
    ),
    required: true,
  })
  period!: ReportPeriod;

  /** Whom it was planned for: a recipient whose address was changed since is not sent it. */
  @Prop({ type: String, required: true })
  email!: string;

  @Prop({ type: String, required: true, enum: REPORT_STATES })
  state!: ReportState;

  /** Why it is in that state, or still waits; null when there is nothing to say. */
  @Prop({ type: String, default: null })
  reason!: string | null;

  /** When somebody has to look at it, absent once it is over. Whoever does moves it on first: when they die, somebody else does. */
  @Prop({ type: Date })
  dueAt?: Date;

  /** Who looked at it last: nobody else changes what they hold. */
  @Prop({ type: String, default: '' })
  holder!: string;

  /** Not sent any more from then on. */
  @Prop({ type: Date, required: true })
  expiresAt!: Date;

  /** Attempts that came as far as a message. */
  @Prop({ type: Number, default: 0 })
  attempts!: number;

  /** The mailbox that was last given it; null: none, or the operator's server. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  mailboxId!: Types.ObjectId | null;

  /** With angle brackets; null before a server was given it. */
  @Prop({ type: String, default: null })
  messageId!: string | null;

  /** Vendor's id of the draft that was to be sent. */
  @Prop({ type: String, default: null })
  draftId!: string | null;

  /** When a server was given it. */
  @Prop({ type: Date, default: null })
  handedAt!: Date | null;

  @Prop({ type: Date, default: null })
  sentAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
