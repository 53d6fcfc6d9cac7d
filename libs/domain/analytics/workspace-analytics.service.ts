import { type WorkspaceScope } from '@domain/access';
import { CampaignRepository } from '@domain/campaigns';
import { MailboxesService } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type Page } from '@platform/database';
import { Types } from 'mongoose';
import { CampaignDaysRepository } from './days/campaign-days.repository';
import { createFigures } from './days/day-figures';
import { type Period, getPeriod } from './days/period';
import { type MailboxFiguresResponse, toMailboxFigures } from './dto/mailbox-figures.dto';
import { type OverviewResponse, toOverview } from './dto/overview.dto';
import { type MailboxFiguresQuery, type PeriodQuery } from './dto/period-query.dto';

/** What came of all campaigns of a workspace; from the projection: some seconds behind. */
@Injectable()
export class WorkspaceAnalyticsService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly mailboxes: MailboxesService,
    private readonly days: CampaignDaysRepository,
    private readonly clock: ClockPort,
  ) {}

  /** @throws VALIDATION_ERROR for days that end before they begin, or are more than 366 */
  async overview({ workspaceId }: WorkspaceScope, query: PeriodQuery): Promise<OverviewResponse> {
    const period = this.#period(query);
    const sums = await this.days.ofCampaigns(workspaceId, period);
    const campaigns = await this.campaigns.existing([...sums.keys()].map((id) => new Types.ObjectId(id)));
    return toOverview(
      period,
      campaigns.map((campaign) => ({ campaign, figures: sums.get(campaign._id.toHexString()) ?? createFigures() })),
    );
  }

  /** Mailboxes, the newest first. @throws VALIDATION_ERROR as `overview` */
  async byMailbox(workspace: WorkspaceScope, query: MailboxFiguresQuery): Promise<Page<MailboxFiguresResponse>> {
    const period = this.#period(query);
    const { limit, cursor } = query;
    const given = { limit, ...(cursor !== undefined && { cursor }) };
    const page = await this.mailboxes.list(workspace, given, 'analytics');
    const ids = page.items.map(({ _id }) => _id);
    const sums = await this.days.ofMailboxes(workspace.workspaceId, period, ids);
    return {
      items: page.items.map((mailbox) => toMailboxFigures(mailbox, period, sums.get(mailbox._id))),
      pagination: page.pagination,
    };
  }

  #period(query: PeriodQuery): Period {
    return getPeriod(query, query.timezone ?? 'UTC', this.clock.now());
  }
}
