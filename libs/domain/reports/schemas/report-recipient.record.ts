import { Prop } from '@nestjs/mongoose';
import { Collection } from '@platform/database';
import { Schema, type Types } from 'mongoose';
import { REPORT_FREQUENCIES, REPORT_TYPES, type ReportFrequency, type ReportType } from '../content/report-shape';

export interface StoredSchedule {
  enabled: boolean;
  frequency: ReportFrequency;
  /** ISO 8601: 1 = Monday … 7 = Sunday. */
  dayOfWeek: number;
  /** HH:MM */
  timeOfDay: string;
  /** IANA name */
  timezone: string;
}

/** A person who receives reports, and the schedule. */
@Collection('report_recipients', {
  tenant: true,
  indexes: [
    { serves: 'the list of recipients, newest first', fields: { workspaceId: 1, createdAt: -1, _id: -1 } },
    { serves: 'one recipient for each address', fields: { email: 1, workspaceId: 1 }, unique: true },
    {
      serves: 'recipients whose report is due',
      fields: { nextScheduledAt: 1, _id: 1 },
      due: 'report-schedule',
      where: { nextScheduledAt: { $gt: new Date(0) } },
    },
    { serves: 'recipients with a campaign', fields: { campaignIds: 1 } },
  ],
})
export class ReportRecipientRecord {
  _id!: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  workspaceId!: Types.ObjectId;

  @Prop({ type: String, required: true })
  name!: string;

  /** Normalised (`parseEmailAddress`). */
  @Prop({ type: String, required: true })
  email!: string;

  @Prop({ type: String, default: '' })
  company!: string;

  @Prop({ type: String, default: '' })
  role!: string;

  @Prop({ type: String, required: true, enum: REPORT_TYPES })
  reportType!: ReportType;

  /** Empty for a report on the workspace. Deleted campaigns are removed. */
  @Prop({ type: [Schema.Types.ObjectId], required: true })
  campaignIds!: Types.ObjectId[];

  @Prop({ type: Boolean, required: true })
  active!: boolean;

  @Prop({
    type: new Schema(
      {
        enabled: { type: Boolean, required: true },
        frequency: { type: String, required: true, enum: REPORT_FREQUENCIES },
        dayOfWeek: { type: Number, required: true },
        timeOfDay: { type: String, required: true },
        timezone: { type: String, required: true },
      },
      { _id: false, id: false },
    ),
    required: true,
  })
  schedule!: StoredSchedule;

  /** When the next report is due; null while none is scheduled. */
  @Prop({ type: Date, default: null })
  nextScheduledAt!: Date | null;

  /** The period (`getPeriodKey`) of the last scheduled report: a changed time of day does not start it again. */
  @Prop({ type: String, default: null })
  lastPeriod!: string | null;

  /** Number of manually requested reports, which numbers each of them. */
  @Prop({ type: Number, default: 0 })
  askedFor!: number;

  /** Reports that a mail server accepted. */
  @Prop({ type: Number, default: 0 })
  totalReportsSent!: number;

  @Prop({ type: Date })
  createdAt!: Date;

  /** Time of the last change by a person; sending reports does not change it. */
  @Prop({ type: Date })
  updatedAt!: Date;
}
