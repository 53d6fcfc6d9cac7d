import { type WorkspaceScope } from '@domain/access';
import { CampaignCountersService, CampaignRepository, SequencesService } from '@domain/campaigns';
import { MachineSightsRepository } from '@domain/sends';
import { QUARTER_MS } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { getDay } from '@platform/time';
import { type Types } from 'mongoose';
import { CampaignDaysRepository } from './days/campaign-days.repository';
import { type Period, getPeriod } from './days/period';
import { type CampaignAnalyticsResponse, toCampaignAnalytics } from './dto/campaign-analytics.dto';
import { type CampaignTimelineResponse, type TimelineFigures, toTimeline } from './dto/campaign-timeline.dto';
import { type TimelineQuery } from './dto/period-query.dto';

/** What came of a campaign. */
@Injectable()
export class AnalyticsService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly counters: CampaignCountersService,
    private readonly sequences: SequencesService,
    private readonly days: CampaignDaysRepository,
    private readonly machines: MachineSightsRepository,
    private readonly clock: ClockPort,
  ) {}

  /** From the counters, which change with what they count. @throws NOT_FOUND */
  async campaign(workspace: WorkspaceScope, campaignId: string): Promise<CampaignAnalyticsResponse> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const id = campaign._id.toHexString();
    const sums = (await this.counters.of(workspace.workspaceId, [id])).get(id);
    if (!sums) throw new Error(`No figures of campaign ${id}`);
    const places = await this.sequences.placesOf(campaign, Object.keys(sums.steps));
    return toCampaignAnalytics(campaign, sums, places);
  }

  /**
   * Day by day, from the projection: some seconds behind.
   * @throws NOT_FOUND, VALIDATION_ERROR for days that end before they begin, or are more than 366
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

  async #addMachineFigures(
    { workspaceId }: WorkspaceScope,
    campaignId: Types.ObjectId,
    { from, until, timezone }: Period,
    figures: ReadonlyMap<string, TimelineFigures>,
  ): Promise<void> {
    const asked = { from, until, everyMs: QUARTER_MS };
    for (const [what, figure] of [
      ['opened', 'machineOpened'],
      ['clicked', 'machineClicked'],
    ] as const) {
      for (const { at, count } of await this.machines.byTime(workspaceId, campaignId, what, asked)) {
        const ofDay = figures.get(getDay(at, timezone));
        if (ofDay) ofDay[figure] += count;
      }
    }
  }
}
