import { type CampaignFigures, type DayFigures, PeriodFiguresService } from '@domain/analytics';
import { CampaignReviewsRepository } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { parseId } from '@platform/database';
import { type Types } from 'mongoose';
import { type ReportFacts } from '../report-facts';
import { type ReportPeriod, type ReportScope } from '../report-shape';
import { rankCampaigns } from './campaign-ranking';
import { getPreviousDays, getTrendDays } from './compared-days';
import { addFigures, createFigures } from './figure-sums';

/** The campaigns that a report is about, and the mailboxes that these send from; null: all of the workspace. */
export interface ReportSubject {
  readonly workspaceId: string;
  readonly names: readonly string[];
  readonly campaignIds: readonly Types.ObjectId[] | null;
  readonly mailboxIds: readonly Types.ObjectId[] | null;
}

/** What the figures of a report are. */
export type CountedFacts = Pick<ReportFacts, 'figures' | 'before' | 'days' | 'campaigns'> & {
  /** Campaigns in which something happened in the period. */
  readonly counted: readonly CampaignFigures[];
};

/** Figures of a report by docs/metrics.md: of its period, of the one before it, by day and by campaign. */
@Injectable()
export class ReportFiguresService {
  constructor(
    private readonly figures: PeriodFiguresService,
    private readonly campaigns: CampaignReviewsRepository,
  ) {}

  /** Campaigns that are gone, or another workspace's, are none of it. */
  async subject({ workspaceId, reportType, campaignIds }: ReportScope): Promise<ReportSubject> {
    if (reportType === 'workspace') return { workspaceId, names: [], campaignIds: null, mailboxIds: null };
    const asked = campaignIds.map(parseId).filter((id) => id !== null);
    const found = await this.campaigns.senders(workspaceId, asked);
    const mailboxes = new Map(found.flatMap((one) => one.mailboxes.map((id) => [id.toHexString(), id] as const)));
    return {
      workspaceId,
      names: found.map(({ name }) => name),
      campaignIds: found.map(({ _id }) => _id),
      mailboxIds: [...mailboxes.values()],
    };
  }

  async count({ workspaceId, campaignIds }: ReportSubject, period: ReportPeriod): Promise<CountedFacts> {
    const only = campaignIds && campaignIds.map((id) => id.toHexString());
    const trend = getTrendDays(period);
    const [counted, before, drawn] = await Promise.all([
      this.figures.figuresOfCampaigns(workspaceId, period, only),
      this.figures.figuresOfCampaigns(workspaceId, getPreviousDays(period), only),
      trend.first === period.first ? null : this.figures.figuresOfCampaigns(workspaceId, trend, only),
    ]);
    const ids = (drawn ?? counted).map(({ id }) => id);
    const days = await this.figures.figuresByDay(workspaceId, trend, ids);
    return {
      figures: sumFigures(counted),
      before: sumFigures(before),
      days,
      campaigns: rankCampaigns(counted),
      counted,
    };
  }
}

function sumFigures(campaigns: readonly CampaignFigures[]): DayFigures {
  return campaigns.reduce((sum, { figures }) => addFigures(sum, figures), createFigures());
}
