import { type MailboxResponse } from '@domain/mailboxes';
import { ApiProperty } from '@nestjs/swagger';
import { DaysResponse } from '@platform/validation';
import { createDayFigures } from '../days/day-figures';
import { type Period } from '../days/period';
import { type DayFigures } from '../schemas/campaign-day.record';
import { FiguresResponse, RatesResponse, toFigures, toRates } from './figures.dto';

export class MailboxFiguresResponse extends DaysResponse {
  @ApiProperty({ type: 'string' })
  mailboxId!: string;

  @ApiProperty({ type: 'string' })
  email!: string;

  @ApiProperty({ type: 'string' })
  status!: string;

  @ApiProperty({ type: FiguresResponse, description: 'Sum of all campaigns that are not deleted.' })
  totals!: FiguresResponse;

  @ApiProperty({ type: RatesResponse })
  rates!: RatesResponse;
}

/** Without figures there was no activity. */
export function toMailboxFigures(
  { _id, email, status }: MailboxResponse,
  { timezone, first, last }: Period,
  figures: DayFigures = createDayFigures(),
): MailboxFiguresResponse {
  return {
    mailboxId: _id,
    email,
    status,
    timezone,
    from: first,
    to: last,
    totals: toFigures(figures),
    rates: toRates(figures),
  };
}
