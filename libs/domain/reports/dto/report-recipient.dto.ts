import { ApiProperty } from '@nestjs/swagger';
import { REPORT_FREQUENCIES, REPORT_TYPES, type ReportFrequency, type ReportType } from '../content/report-shape';
import { type ReportRecipientRecord } from '../schemas/report-recipient.record';

export class ReportScheduleResponse {
  @ApiProperty({ type: 'boolean', description: 'Whether reports are sent by schedule.' })
  enabled!: boolean;

  @ApiProperty({ type: 'string', enum: REPORT_FREQUENCIES })
  frequency!: ReportFrequency;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 7,
    description: '1 (Monday) to 7 (Sunday). monthly: the first such day of each month; daily: ignored.',
  })
  dayOfWeek!: number;

  @ApiProperty({ type: 'string', description: 'HH:MM in the zone `timezone`.' })
  timeOfDay!: string;

  @ApiProperty({ type: 'string', description: 'IANA name.' })
  timezone!: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'null while none is scheduled.' })
  nextScheduledAt!: string | null;
}

export class ReportRecipientResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'string', format: 'email' })
  email!: string;

  @ApiProperty({ type: 'string' })
  company!: string;

  @ApiProperty({ type: 'string', description: 'Job title.' })
  role!: string;

  @ApiProperty({ type: 'string', enum: REPORT_TYPES })
  reportType!: ReportType;

  @ApiProperty({ type: [String], description: 'Empty for a report on the workspace; deleted campaigns are removed.' })
  campaignIds!: string[];

  @ApiProperty({
    type: 'boolean',
    description: 'Also false once the person has stopped the reports by the unsubscribe link.',
  })
  active!: boolean;

  @ApiProperty({ type: ReportScheduleResponse })
  schedule!: ReportScheduleResponse;

  @ApiProperty({ type: 'integer', description: 'Reports that a mail server accepted.' })
  totalReportsSent!: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updatedAt!: string;
}

export function toReportRecipient(record: ReportRecipientRecord): ReportRecipientResponse {
  const { enabled, frequency, dayOfWeek, timeOfDay, timezone } = record.schedule;
  const nextScheduledAt = record.nextScheduledAt?.toISOString() ?? null;
  return {
    _id: record._id.toHexString(),
    name: record.name,
    email: record.email,
    company: record.company,
    role: record.role,
    reportType: record.reportType,
    campaignIds: record.campaignIds.map((id) => id.toHexString()),
    active: record.active,
    schedule: { enabled, frequency, dayOfWeek, timeOfDay, timezone, nextScheduledAt },
    totalReportsSent: record.totalReportsSent,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
