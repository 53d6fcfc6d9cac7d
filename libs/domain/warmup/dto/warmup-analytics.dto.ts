import { ApiProperty } from '@nestjs/swagger';
import { DaysResponse } from '@platform/validation';
import { getSum } from '../plan/day-figures';
import { WARMUP_FIGURES, type WarmupDayRecord, type WarmupFigures } from '../schemas/warmup-day.record';

class WarmupFiguresResponse implements WarmupFigures {
  @ApiProperty({ type: 'integer', description: 'Mails with at least one handover attempt.' })
  attempted!: number;

  @ApiProperty({ type: 'integer', description: 'Mails that the server accepted.' })
  sent!: number;

  @ApiProperty({ type: 'integer', description: 'Part of `sent` that opened a thread; the remaining mails answered.' })
  openings!: number;

  @ApiProperty({ type: 'integer', description: 'Mails that the receiver found in the inbox.' })
  inbox!: number;

  @ApiProperty({ type: 'integer', description: 'Mails that the receiver found among promotions.' })
  promotions!: number;

  @ApiProperty({ type: 'integer', description: 'Mails that the receiver found in spam.' })
  spam!: number;

  @ApiProperty({ type: 'integer', description: 'Mails that the receiver opened.' })
  opened!: number;

  @ApiProperty({ type: 'integer', description: 'Answers that the mailbox received.' })
  repliesReceived!: number;

  @ApiProperty({ type: 'integer', description: 'Mails that were permanently rejected or returned.' })
  bounced!: number;

  @ApiProperty({ type: 'integer', description: 'Mails that were permanently rejected or returned as spam.' })
  blocked!: number;

  @ApiProperty({ type: 'integer', description: 'Mails that the server deferred at least once.' })
  deferred!: number;

  @ApiProperty({ type: 'integer', description: 'Mails of other mailboxes that the mailbox received.' })
  received!: number;

  @ApiProperty({ type: 'integer', description: 'Part of `received` that was moved out of spam.' })
  rescued!: number;
}

class WarmupDayResponse extends WarmupFiguresResponse {
  @ApiProperty({ type: 'string', format: 'date' })
  day!: string;
}

export class WarmupAnalyticsResponse extends DaysResponse {
  @ApiProperty({ type: 'string' })
  mailboxId!: string;

  @ApiProperty({ type: WarmupFiguresResponse })
  totals!: WarmupFiguresResponse;

  @ApiProperty({
    type: [WarmupDayResponse],
    description:
      'Every day from `from` to `to`, also those without mail. Each fact counts on the day on which it happens.',
  })
  days!: WarmupDayResponse[];
}

/** Figures of one day; zeros without a record. */
export function toWarmupDay(day: string, record: WarmupDayRecord | undefined): WarmupDayResponse {
  return { day, ...toFigures((figure) => record?.[figure] ?? 0) };
}

export function getWarmupTotals(days: readonly WarmupFigures[]): WarmupFiguresResponse {
  return toFigures((figure) => getSum(days, figure));
}

function toFigures(value: (figure: keyof WarmupFigures) => number): WarmupFigures {
  return Object.fromEntries(WARMUP_FIGURES.map((figure) => [figure, value(figure)])) as WarmupFigures;
}
