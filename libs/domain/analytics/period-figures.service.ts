import { CampaignRepository } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import { CampaignDaysRepository } from './days/campaign-days.repository';
import { createFigures } from './days/day-figures';
import { getDays, type NamedDays, toPeriod } from './days/period';
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
  async figuresOfCampaigns(
    workspaceId: string,
    days: NamedDays,
    only: readonly string[] | null,
  ): Promise<CampaignFigures[]> {
    const sums = await this.days.ofCampaigns(workspaceId, toPeriod(days), only);
    const names = await this.campaigns.names(toObjectIds([...sums.keys()]));
    return [...names].map(([id, name]) => ({ id, name, figures: sums.get(id) ?? createFigures() }));
  }

  /** These campaigns together, day by day, also those on which nothing happened. */
  async figuresByDay(workspaceId: string, days: NamedDays, campaignIds: readonly string[]): Promise<FiguresOfDay[]> {
    const period = toPeriod(days);
    const figures = await this.days.togetherByDay(workspaceId, toObjectIds(campaignIds), period);
    return getDays(period).map(({ day }) => ({ day, figures: figures.get(day) ?? createFigures() }));
  }

  /** By id of the mailbox; one to which nothing happened is absent. Only what happened in these campaigns. */
  async figuresOfMailboxes(
    workspaceId: string,
    days: NamedDays,
    mailboxIds: readonly string[],
    campaignIds: readonly string[],
  ): Promise<Map<string, DayFigures>> {
    return this.days.ofMailboxes(workspaceId, toPeriod(days), mailboxIds, campaignIds);
  }
}

function toObjectIds(ids: readonly string[]): Types.ObjectId[] {
  return ids.map((id) => new Types.ObjectId(id));
}
