import { CampaignRepository } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { CampaignDaysRepository } from './days/campaign-days.repository';
import { noFigures } from './days/day-figures';
import { getDays, type NamedDays, periodBetween } from './days/period';
import { type DayFigures } from './schemas/campaign-day.record';

/** A campaign and what happened in it. */
export interface CampaignFigures {
  readonly id: string;
  readonly name: string;
  readonly figures: DayFigures;
}

/** One day and what happened on it. */
export interface FiguresOfDay {
  /** YYYY-MM-DD */
  readonly day: string;
  readonly figures: DayFigures;
}

/** What came of outreach on given days, for reports; from the projection: some seconds behind. Deleted campaigns count nowhere. */
@Injectable()
export class PeriodFiguresService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly days: CampaignDaysRepository,
  ) {}

  /**
   * The campaigns in which something happened.
   * @param only those of these; null: all of the workspace
   */
  async ofCampaigns(workspaceId: string, days: NamedDays, only: readonly string[] | null): Promise<CampaignFigures[]> {
    const sums = await this.days.ofCampaigns(workspaceId, periodBetween(days), only);
    const names = await this.campaigns.names(objectIds([...sums.keys()]));
    return [...names].map(([id, name]) => ({ id, name, figures: sums.get(id) ?? noFigures() }));
  }

  /** These campaigns together, day by day, also those on which nothing happened. */
  async byDay(workspaceId: string, days: NamedDays, campaignIds: readonly string[]): Promise<FiguresOfDay[]> {
    const period = periodBetween(days);
    const figures = await this.days.togetherByDay(workspaceId, objectIds(campaignIds), period);
    return getDays(period).map(({ day }) => ({ day, figures: figures.get(day) ?? noFigures() }));
  }

  /** By id of the mailbox; one to which nothing happened is absent. Only what happened in these campaigns. */
  async ofMailboxes(
    workspaceId: string,
    days: NamedDays,
    mailboxIds: readonly string[],
    campaignIds: readonly string[],
  ): Promise<Map<string, DayFigures>> {
    return this.days.ofMailboxes(workspaceId, periodBetween(days), mailboxIds, campaignIds);
  }
}

function objectIds(ids: readonly string[]): Types.ObjectId[] {
  return ids.map((id) => new Types.ObjectId(id));
}
