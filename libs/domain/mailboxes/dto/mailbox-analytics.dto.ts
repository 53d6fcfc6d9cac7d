import { ApiProperty } from '@nestjs/swagger';
import { DayField, DaysResponse } from '@platform/validation';
import { MAILBOX_FIGURES, type MailboxDayRecord, type MailboxFigure } from '../schemas/mailbox-day.record';

export type Figures = Record<MailboxFigure, number>;

export class MailboxAnalyticsQuery {
  @DayField({ optional: true, about: 'First day, in the mailbox’s zone. Default: 29 days before `to`.' })
  from?: string;

  @DayField({ optional: true, about: 'Last day, at most 366 with `from`. Default: today.' })
  to?: string;
}

class MailboxTotalsResponse implements Figures {
  @ApiProperty({ type: 'integer' })
  sent!: number;

  @ApiProperty({ type: 'integer' })
  received!: number;

  @ApiProperty({ type: 'integer' })
  opened!: number;

  @ApiProperty({ type: 'integer' })
  clicked!: number;

  @ApiProperty({ type: 'integer' })
  replied!: number;

  @ApiProperty({ type: 'integer' })
  bounced!: number;

  @ApiProperty({ type: 'integer' })
  failed!: number;
}

class MailboxDayResponse extends MailboxTotalsResponse {
  @ApiProperty({ type: 'string', format: 'date' })
  day!: string;
}

export class MailboxAnalyticsResponse extends DaysResponse {
  @ApiProperty({ type: 'string' })
  mailboxId!: string;

  @ApiProperty({ type: MailboxTotalsResponse })
  totals!: MailboxTotalsResponse;

  @ApiProperty({
    type: [MailboxDayResponse],
    description: 'Every day from `from` to `to`, days without activity included.',
  })
  days!: MailboxDayResponse[];
}

/** Maps one day; without a record all figures are 0. */
export function toMailboxDay(day: string, record: MailboxDayRecord | undefined): MailboxDayResponse {
  return { day, ...mapFigures((figure) => record?.[figure] ?? 0) };
}

export function getMailboxTotals(days: readonly Figures[]): MailboxTotalsResponse {
  return mapFigures((figure) => days.reduce((sum, day) => sum + day[figure], 0));
}

function mapFigures(value: (figure: MailboxFigure) => number): Figures {
  return Object.fromEntries(MAILBOX_FIGURES.map((figure) => [figure, value(figure)])) as Figures;
}
