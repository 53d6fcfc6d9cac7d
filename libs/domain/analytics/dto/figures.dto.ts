import { ApiProperty } from '@nestjs/swagger';
import { DAY_FIGURES, type DayFigures } from '../schemas/campaign-day.record';

const rateOf = { type: 'number', minimum: 0, description: 'From 0, four decimals.' } as const;

export class FiguresResponse implements DayFigures {
  @ApiProperty({ type: 'integer', description: 'Leads that were contacted for the first time.' })
  contacted!: number;

  @ApiProperty({ type: 'integer', description: 'Emails that a mail server accepted.' })
  sent!: number;

  @ApiProperty({ type: 'integer', description: 'Leads that opened an email for the first time.' })
  opened!: number;

  @ApiProperty({ type: 'integer', description: 'Leads that followed a link for the first time.' })
  clicked!: number;

  @ApiProperty({ type: 'integer', description: 'Leads that replied for the first time.' })
  replied!: number;

  @ApiProperty({ type: 'integer', description: 'Leads that replied positively.' })
  positiveReplied!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Emails that were rejected or returned because the address does not exist.',
  })
  bounced!: number;

  @ApiProperty({ type: 'integer', description: 'Leads that unsubscribed.' })
  unsubscribed!: number;

  @ApiProperty({ type: 'integer', description: 'Automatic replies; not counted in `replied`.' })
  autoReplied!: number;

  @ApiProperty({ type: 'integer', description: 'Emails that were reported as spam.' })
  complained!: number;
}

export class RatesResponse {
  @ApiProperty({ ...rateOf, description: 'positiveReplied / contacted.' })
  positiveReplyRate!: number;

  @ApiProperty({ ...rateOf, description: 'replied / contacted.' })
  replyRate!: number;

  @ApiProperty({ ...rateOf, description: 'opened / contacted.' })
  openRate!: number;

  @ApiProperty({ ...rateOf, description: 'clicked / contacted.' })
  clickRate!: number;

  @ApiProperty({ ...rateOf, description: 'unsubscribed / contacted.' })
  unsubscribeRate!: number;

  @ApiProperty({ ...rateOf, description: 'bounced / sent.' })
  bounceRate!: number;
}

export function toFigures(figures: DayFigures): DayFigures {
  return Object.fromEntries(DAY_FIGURES.map((figure) => [figure, figures[figure]])) as DayFigures;
}

export function toRates(figures: DayFigures): RatesResponse {
  const { contacted, sent, opened, clicked, replied, positiveReplied, bounced, unsubscribed } = figures;
  return {
    positiveReplyRate: getRate(positiveReplied, contacted),
    replyRate: getRate(replied, contacted),
    openRate: getRate(opened, contacted),
    clickRate: getRate(clicked, contacted),
    unsubscribeRate: getRate(unsubscribed, contacted),
    bounceRate: getRate(bounced, sent),
  };
}

/** 0 when the divisor is 0. */
export function getRate(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000;
}
