import { type CampaignFigures, type DayFigures } from '@domain/analytics';
import { addFigures, createReportFigures } from './figure-sums';

/** Campaigns that a report lists individually. */
export const MAX_CAMPAIGNS_SHOWN = 10;

/** The campaigns of a report, best first. */
export interface CampaignRanking {
  readonly shown: readonly CampaignFigures[];
  /** The sum of the other campaigns; null when all are listed. */
  readonly remaining: { readonly count: number; readonly figures: DayFigures } | null;
}

const ORDER = ['positiveReplied', 'replied', 'contacted', 'sent'] as const;

/** Ranks by positive replies, then replies, leads contacted and emails sent; ties by creation. */
export function rankCampaigns(campaigns: readonly CampaignFigures[]): CampaignRanking {
  const sorted = campaigns.toSorted(compareRank);
  const others = sorted.slice(MAX_CAMPAIGNS_SHOWN);
  return {
    shown: sorted.slice(0, MAX_CAMPAIGNS_SHOWN),
    remaining:
      others.length === 0
        ? null
        : {
            count: others.length,
            figures: others.reduce((sum, one) => addFigures(sum, one.figures), createReportFigures()),
          },
  };
}

function compareRank(one: CampaignFigures, other: CampaignFigures): number {
  for (const figure of ORDER) {
    const by = other.figures[figure] - one.figures[figure];
    if (by !== 0) return by;
  }
  return one.id < other.id ? -1 : 1;
}
