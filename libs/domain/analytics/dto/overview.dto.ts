import { type CampaignRecord } from '@domain/campaigns';
import { ApiProperty } from '@nestjs/swagger';
import { DaysResponse } from '@platform/validation';
import { addTo, createDayFigures } from '../days/day-figures';
import { type Period } from '../days/period';
import { type DayFigures } from '../schemas/campaign-day.record';
import { FiguresResponse, getRate, RatesResponse, toFigures, toRates } from './figures.dto';

const TOP = 5;

/** The main result of outreach. */
interface Headline {
  positiveReplied: number;
  contacted: number;
  positiveReplyRate: number;
}

class HeadlineResponse implements Headline {
  @ApiProperty({ type: 'integer', description: 'Leads that replied positively.' })
  positiveReplied!: number;

  @ApiProperty({ type: 'integer', description: 'Leads that were contacted for the first time.' })
  contacted!: number;

  @ApiProperty({ type: 'number', minimum: 0, description: 'positiveReplied / contacted, four decimals.' })
  positiveReplyRate!: number;
}

class TopCampaignResponse extends HeadlineResponse {
  @ApiProperty({ type: 'string' })
  id!: string;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'string' })
  status!: string;

  @ApiProperty({ type: 'integer' })
  sent!: number;

  @ApiProperty({ type: 'integer' })
  replied!: number;
}

export class OverviewResponse extends DaysResponse {
  @ApiProperty({ type: HeadlineResponse, description: 'The main result: positive replies per lead contacted.' })
  headline!: HeadlineResponse;

  @ApiProperty({ type: FiguresResponse, description: 'Sum of all campaigns that are not deleted.' })
  totals!: FiguresResponse;

  @ApiProperty({ type: RatesResponse })
  rates!: RatesResponse;

  @ApiProperty({
    type: [TopCampaignResponse],
    description: `At most ${TOP}: those with the most positive replies, then replies, then leads contacted.`,
  })
  topCampaigns!: TopCampaignResponse[];
}

/** A campaign and its figures in the period. */
export interface CountedCampaign {
  readonly campaign: CampaignRecord;
  readonly figures: DayFigures;
}

export function toOverview({ timezone, first, last }: Period, campaigns: readonly CountedCampaign[]): OverviewResponse {
  const totals = createDayFigures();
  for (const { figures } of campaigns) addTo(totals, figures);
  return {
    timezone,
    from: first,
    to: last,
    headline: toHeadline(totals),
    totals: toFigures(totals),
    rates: toRates(totals),
    topCampaigns: campaigns.toSorted(byRank).slice(0, TOP).map(toTopCampaign),
  };
}

function toHeadline({ positiveReplied, contacted }: DayFigures): Headline {
  return { positiveReplied, contacted, positiveReplyRate: getRate(positiveReplied, contacted) };
}

function toTopCampaign({ campaign: { _id, name, status }, figures }: CountedCampaign): TopCampaignResponse {
  const { sent, replied } = figures;
  return { id: _id.toHexString(), name, status, ...toHeadline(figures), sent, replied };
}

/** Ties are ordered by creation, so that the answer is stable. */
function byRank(one: CountedCampaign, other: CountedCampaign): number {
  for (const figure of ['positiveReplied', 'replied', 'contacted'] as const) {
    const by = other.figures[figure] - one.figures[figure];
    if (by !== 0) return by;
  }
  return String(one.campaign._id) < String(other.campaign._id) ? -1 : 1;
}
