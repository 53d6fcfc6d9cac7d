import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { REPORT_FREQUENCIES, type ReportPeriod } from '../content/report-shape';

/**
 * `planned`: waits for its time or its next attempt; `sending`: in handover, or was when a worker crashed; `sent`:
 * accepted by a server; `unknown`: submitted with unknown outcome, not sent again; `failed`: given up; `skipped`: the
 * next report was due first; `withheld`: it must not be sent.
 */
export const REPORT_STATES = ['planned', 'sending', 'sent', 'unknown', 'failed', 'skipped', 'withheld'] as const;
export type ReportState = (typeof REPORT_STATES)[number];

/** Final states of a report. */
export type FinalReportState = Exclude<ReportState, 'planned' | 'sending'>;

export const REPORT_TRIGGERS = ['schedule', 'manual'] as const;
export type ReportTrigger = (typeof REPORT_TRIGGERS)[number];

/** How long reports are kept. */
const RETENTION_SECONDS = 400 * 86_400;

/** One report to one recipient, scheduled or requested, and its outcome. */
@Collection('reports', {
  tenant: true,
  indexes: [
    { serves: 'one report for each recipient and period', fields: { recipientId: 1, key: 1 }, unique: true },
    {
      serves: 'the reports of a recipient, newest first',
      fields: { workspaceId: 1, recipientId: 1, createdAt: -1, _id: -1 },
    },
    {
      serves: 'reports that are due',
      fields: { dueAt: 1, _id: 1 },
      due: 'report-delivery',
      where: { dueAt: { $gt: new Date(0) } },
    },
    { serves: 'reports to a suppressed address', fields: { workspaceId: 1, email: 1 } },
    { serves: 'deleting old reports', fields: { createdAt: 1 }, expireAfterSeconds: RETENTION_SECONDS },
  ],
})
export class ReportRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  recipientId!: Types.ObjectId;

  /** The period (`getPeriodKey`), or the number of a manual report; unique per recipient. */
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

  /** The planned address: a recipient whose address changed does not get the report. */
  @Prop({ type: String, required: true })
  email!: string;

  @Prop({ type: String, required: true, enum: REPORT_STATES })
  state!: ReportState;

  /** The reason of the state or the delay; null without one. */
  @Prop({ type: String, default: null })
  reason!: string | null;

  /**
   * When work on it is due; absent once it has ended. A worker moves it forward first, so after a crash another
   * worker continues.
   */
  @Prop({ type: Date })
  dueAt?: Date;

  /** The worker that leased it last; only that worker changes it. */
  @Prop({ type: String, default: '' })
  holder!: string;

  /** It is not sent after this time. */
  @Prop({ type: Date, required: true })
  expiresAt!: Date;

  /** Attempts for which a message was composed. */
  @Prop({ type: Number, default: 0 })
  attempts!: number;

  /** The mailbox of the last handover; null: none, or the operator's server. */
  @Prop({ type: Schema.Types.ObjectId, default: null })
  mailboxId!: Types.ObjectId | null;

  /** With angle brackets; null before a handover. */
  @Prop({ type: String, default: null })
  messageId!: string | null;

  /** The vendor's id of the draft. */
  @Prop({ type: String, default: null })
  draftId!: string | null;

  /** Time of the last handover. */
  @Prop({ type: Date, default: null })
  handedAt!: Date | null;

  @Prop({ type: Date, default: null })
  sentAt!: Date | null;

  @Prop({ type: Date })
  createdAt!: Date;

  @Prop({ type: Date })
  updatedAt!: Date;
}
