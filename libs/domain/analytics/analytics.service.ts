import { type WorkspaceScope } from '@domain/access';
import { CampaignCountersService, CampaignRepository, SequenceVersionService } from '@domain/campaigns';
import { QUARTER_MS } from '@domain/events';
import { MailboxesService } from '@domain/mailboxes';
import { SendReadRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type Page } from '@platform/database';
import { getDay } from '@platform/time';
import { Types } from 'mongoose';
import { CampaignDaysRepository } from './days/campaign-days.repository';
import { createDayFigures } from './days/day-figures';
import { getDays, getPeriod, type NamedDays, type Period, toPeriod } from './days/period';
import { type CampaignAnalyticsResponse, toCampaignAnalytics } from './dto/campaign-analytics.dto';
import { type CampaignTimelineResponse, type TimelineFigures, toTimeline } from './dto/campaign-timeline.dto';
import { type MailboxFiguresResponse, toMailboxFigures } from './dto/mailbox-figures.dto';
import { type OverviewResponse, toOverview } from './dto/overview.dto';
import { type MailboxFiguresQuery, type PeriodQuery, type TimelineQuery } from './dto/period-query.dto';
import { type DayFigures } from './schemas/campaign-day.record';

/** A campaign and its figures. */
export interface CampaignFigures {
  readonly id: string;
  readonly name: string;
  readonly figures: DayFigures;
}

/** One day and its figures. */
export interface FiguresOfDay {
  /** YYYY-MM-DD */
  readonly day: string;
  readonly figures: DayFigures;
}

/**
 * Figures of campaigns, mailboxes and the workspace. Figures by day come from the event projection, which lags behind by some
 * seconds. Deleted campaigns count nowhere.
 */
@Injectable()
export class AnalyticsService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly counters: CampaignCountersService,
    private readonly sequences: SequenceVersionService,
    private readonly mailboxes: MailboxesService,
    private readonly days: CampaignDaysRepository,
    private readonly machines: SendReadRepository,
    private readonly clock: ClockPort,
  ) {}

  /** Figures of a campaign from its counters, which change in the transactions that they count. @throws NOT_FOUND */
  async campaign(workspace: WorkspaceScope, campaignId: string): Promise<CampaignAnalyticsResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const id = campaign._id.toHexString();
    const sums = (await this.counters.sum(workspace.workspaceId, [id])).get(id);
    if (!sums) throw new Error(`No figures of campaign ${id}`);
    const places = await this.sequences.findStepPositions(campaign, Object.keys(sums.steps));
    return toCampaignAnalytics(campaign, sums, places);
  }

  /**
   * Figures of a campaign by day.
   * @throws NOT_FOUND, VALIDATION_ERROR for a period that ends before it begins or is longer than 366 days
   */
  async timeline(
    workspace: WorkspaceScope,
    campaignId: string,
    query: TimelineQuery,
  ): Promise<CampaignTimelineResponse> {
    const { _id, sendingSchedule } = await this.campaigns.find(workspace, campaignId);
    const period = getPeriod(query, query.timezone ?? sendingSchedule.timezone, this.clock.now());
    const days = await this.days.byDay(workspace.workspaceId, _id, period);
    const figures = new Map<string, TimelineFigures>(
      [...days].map(([day, ofDay]) => [day, { ...ofDay, machineOpened: 0, machineClicked: 0 }]),
    );
    await this.#addMachineFigures(workspace, _id, period, figures);
    return toTimeline(_id.toHexString(), period, figures);
  }

  /** @throws VALIDATION_ERROR for a period that ends before it begins or is longer than 366 days */
  async overview({ workspaceId }: WorkspaceScope, query: PeriodQuery): Promise<OverviewResponse> {
    const period = this.#toPeriod(query);
    const sums = await this.days.ofCampaigns(workspaceId, period);
    const campaigns = await this.campaigns.existing([...sums.keys()].map((id) => new Types.ObjectId(id)));
    return toOverview(
      period,
      campaigns.map((campaign) => ({ campaign, figures: sums.get(campaign._id.toHexString()) ?? createDayFigures() })),
    );
  }

  /** Mailboxes, newest first. @throws VALIDATION_ERROR as `overview` */
  async byMailbox(workspace: WorkspaceScope, query: MailboxFiguresQuery): Promise<Page<MailboxFiguresResponse>> {
    const period = this.#toPeriod(query);
    const { limit, cursor } = query;
    const mailboxQuery = { limit, ...(cursor !== undefined && { cursor }) };
    const page = await this.mailboxes.list(workspace, mailboxQuery, 'analytics');
    const ids = page.items.map(({ _id }) => _id);
    const sums = await this.days.ofMailboxes(workspace.workspaceId, period, ids);
    return {
      items: page.items.map((mailbox) => toMailboxFigures(mailbox, period, sums.get(mailbox._id))),
      pagination: page.pagination,
    };
  }

  /**
   * Figures of the campaigns with activity.
   * @param only only these campaigns; null: all of the workspace
   */
  async figuresOfCampaigns(
    workspaceId: string,
    days: NamedDays,
    only: readonly string[] | null,
  ): Promise<CampaignFigures[]> {
    const sums = await this.days.ofCampaigns(workspaceId, toPeriod(days), only);
    const names = await this.campaigns.names(toObjectIds([...sums.keys()]));
    return [...names].map(([id, name]) => ({ id, name, figures: sums.get(id) ?? createDayFigures() }));
  }

  /** The sum of these campaigns by day, days without activity included. */
  async figuresByDay(workspaceId: string, days: NamedDays, campaignIds: readonly string[]): Promise<FiguresOfDay[]> {
    const period = toPeriod(days);
    const figures = await this.days.togetherByDay(workspaceId, toObjectIds(campaignIds), period);
    return getDays(period).map(({ day }) => ({ day, figures: figures.get(day) ?? createDayFigures() }));
  }

  /** Figures in these campaigns by mailbox id; mailboxes without activity are absent. */
  async figuresOfMailboxes(
    workspaceId: string,
    days: NamedDays,
    mailboxIds: readonly string[],
    campaignIds: readonly string[],
  ): Promise<Map<string, DayFigures>> {
    return this.days.ofMailboxes(workspaceId, toPeriod(days), mailboxIds, campaignIds);
  }

  #toPeriod(query: PeriodQuery): Period {
    return getPeriod(query, query.timezone ?? 'UTC', this.clock.now());
  }

  async #addMachineFigures(
    { workspaceId }: WorkspaceScope,
    campaignId: Types.ObjectId,
    { from, until, timezone }: Period,
    figures: ReadonlyMap<string, TimelineFigures>,
  ): Promise<void> {
    const period = { from, until, everyMs: QUARTER_MS };
    for (const [what, figure] of [
      ['opened', 'machineOpened'],
      ['clicked', 'machineClicked'],
    ] as const) {
      for (const { at, count } of await this.machines.countMachineEngagementByTime(
        workspaceId,
        campaignId,
        what,
        period,
      )) {
        const ofDay = figures.get(getDay(at, timezone));
        if (ofDay) ofDay[figure] += count;
      }
    }
  }
}

function toObjectIds(ids: readonly string[]): Types.ObjectId[] {
  return ids.map((id) => new Types.ObjectId(id));
}
