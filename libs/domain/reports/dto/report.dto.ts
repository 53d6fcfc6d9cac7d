import { ApiProperty } from '@nestjs/swagger';
import { REPORT_FREQUENCIES, type ReportFrequency } from '../content/report-shape';
import {
  REPORT_STATES,
  REPORT_TRIGGERS,
  type ReportRecord,
  type ReportState,
  type ReportTrigger,
} from '../schemas/report.record';

export class ReportPeriodResponse {
  @ApiProperty({ type: 'string', enum: REPORT_FREQUENCIES })
  frequency!: ReportFrequency;

  @ApiProperty({ type: 'string', format: 'date' })
  first!: string;

  @ApiProperty({ type: 'string', format: 'date', description: 'Included.' })
  last!: string;

  @ApiProperty({ type: 'string', description: 'IANA zone of the days.' })
  timezone!: string;
}

export class ReportResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  recipientId!: string;

  @ApiProperty({ type: ReportPeriodResponse })
  period!: ReportPeriodResponse;

  @ApiProperty({ type: 'string', enum: REPORT_TRIGGERS, description: 'manual: requested by a person.' })
  trigger!: ReportTrigger;

  @ApiProperty({
    type: 'string',
    enum: REPORT_STATES,
    description:
      'planned: it waits for an attempt; sending: it is being handed to a server; sent: a server accepted it; unknown: a server was ' +
      'given it and did not answer: it may have been sent, and is not sent again; failed: given up; skipped: the next one was due ' +
      'first; withheld: the recipient was changed, stopped or suppressed meanwhile.',
  })
  state!: ReportState;

  @ApiProperty({ type: 'string', nullable: true, description: 'The reason of the state, or of a delay.' })
  reason!: string | null;

  @ApiProperty({ type: 'integer', description: 'Attempts so far.' })
  attempts!: number;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When it is sent or looked up next.',
  })
  nextAttemptAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  sentAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

export function toReport(record: ReportRecord): ReportResponse {
  const { frequency, first, last, timezone } = record.period;
  return {
    _id: record._id.toHexString(),
    recipientId: record.recipientId.toHexString(),
    period: { frequency, first, last, timezone },
    trigger: record.trigger,
    state: record.state,
    reason: record.reason,
    attempts: record.attempts,
    nextAttemptAt: record.dueAt?.toISOString() ?? null,
    sentAt: record.sentAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
  };
}
