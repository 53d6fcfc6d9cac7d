import { type CampaignFigures, type DayFigures } from '@domain/analytics';
import { addFigures, createFigures } from './figure-sums';

/** Campaigns that a report lists one by one. */
export const MAX_CAMPAIGNS_SHOWN = 10;

/** The campaigns of a report, the best first. */
export interface CampaignRanking {
  readonly shown: readonly CampaignFigures[];
  /** The others together; null when all are shown. */
  readonly remaining: { readonly count: number; readonly figures: DayFigures } | null;
}

const ORDER = ['positiveReplied', 'replied', 'contacted', 'sent'] as const;

/** By positive replies, then replies, leads contacted and emails sent; of equals the one that was made first. */
export function rankCampaigns(campaigns: readonly CampaignFigures[]): CampaignRanking {
  const sorted = campaigns.toSorted(compareRank);
  const others = sorted.slice(MAX_CAMPAIGNS_SHOWN);
  return {
    shown: sorted.slice(0, MAX_CAMPAIGNS_SHOWN),
    remaining:
      others.length === 0
        ? null
        : { count: others.length, figures: others.reduce((sum, one) => addFigures(sum, one.figures), createFigures()) },
  };
}

function compareRank(one: CampaignFigures, other: CampaignFigures): number {
  for (const figure of ORDER) {
    const by = other.figures[figure] - one.figures[figure];
    if (by !== 0) return by;
  }
  return one.id < other.id ? -1 : 1;
}
