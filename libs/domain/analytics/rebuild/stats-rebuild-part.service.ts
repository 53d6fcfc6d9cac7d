import { CampaignRepository } from '@domain/campaigns';
import { type DayDifference, MailboxStatsRebuildService, type TotalDifference } from '@domain/mailboxes';
import { CampaignCountersRebuildService, type Recounted } from '@domain/sending';
import { Injectable } from '@nestjs/common';
import { type CampaignDayDifference, StatsRebuildService } from './stats-rebuild.service';

type CounterDifference = Recounted['differences'][number];

/** What a rebuild has found. */
export interface Rebuilt {
  /** Campaigns that were recounted. */
  readonly campaigns: number;
  readonly differences: readonly (CounterDifference | CampaignDayDifference | DayDifference | TotalDifference)[];
}

export interface RebuildOptions {
  /** Only this campaign; mailboxes are then left out. */
  readonly campaignId?: string | undefined;
  /** Nothing is written. */
  readonly isCheck: boolean;
}

/**
 * Makes all figures of a workspace again: counters of campaigns, their days, days and totals of mailboxes. They are exact, so
 * it finds nothing; it is for databases that were restored, repaired by hand, or written by a version with a fault. The
 * database adds up, a campaign and a month at a time: what is held here does not grow with the number of events.
 */
@Injectable()
export class StatsRebuildPartService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly counters: CampaignCountersRebuildService,
    private readonly days: StatsRebuildService,
    private readonly mailboxes: MailboxStatsRebuildService,
  ) {}

  /** @throws NOT_FOUND for an unknown campaign; SERVICE_UNAVAILABLE when a campaign is too busy to be corrected */
  async run(workspaceId: string, { campaignId, isCheck }: RebuildOptions): Promise<Rebuilt> {
    const { campaigns, differences } = await this.counters.run(workspaceId, { campaignId, isCheck });
    const all: Rebuilt['differences'][number][] = [...differences];
    const ids =
      campaignId === undefined
        ? await this.campaigns.listIds(workspaceId)
        : [(await this.campaigns.find({ workspaceId }, campaignId))._id];
    for (const id of ids) all.push(...(await this.days.run(workspaceId, id, isCheck)));
    if (campaignId === undefined) all.push(...(await this.mailboxes.run(workspaceId, { isCheck })));
    return { campaigns, differences: all };
  }
}
