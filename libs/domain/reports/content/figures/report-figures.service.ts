import { type CampaignFigures, type DayFigures, AnalyticsService, type NamedDays } from '@domain/analytics';
import { CampaignRepository } from '@domain/campaigns';
import { MailboxBlacklistStatusRepository } from '@domain/deliverability';
import { MailboxRepository, type ReviewedMailbox } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { parseId } from '@platform/database';
import { Types } from 'mongoose';
import { type ReportFacts } from '../report-facts';
import { type ReportPeriod, type ReportScope } from '../report-shape';
import { rankCampaigns } from './campaign-ranking';
import { getPreviousDays, getTrendDays } from './compared-days';
import { addFigures, createFigures } from './figure-sums';
import { type MailboxSummary, type MailboxTroubles } from './mailbox-summary';
import { MailboxSummaryBuilder } from './mailbox-summary-builder';

/** Mailboxes per batch. */
const BATCH = 500;

/** The mailboxes of a report, and the days and campaigns whose figures count. */
export interface MailboxScope {
  readonly workspaceId: string;
  readonly days: NamedDays;
  /** null: all of the workspace. */
  readonly mailboxIds: readonly Types.ObjectId[] | null;
  readonly campaignIds: readonly string[];
}

/** The campaigns of a report and their mailboxes; null: all of the workspace. */
export interface ReportSubject {
  readonly workspaceId: string;
  readonly names: readonly string[];
  readonly campaignIds: readonly Types.ObjectId[] | null;
  readonly mailboxIds: readonly Types.ObjectId[] | null;
}

/** The figures of a report. */
export type CountedFacts = Pick<ReportFacts, 'figures' | 'before' | 'days' | 'campaigns'> & {
  /** Campaigns with activity in the period. */
  readonly counted: readonly CampaignFigures[];
};

/** Figures of a report (docs/users/analytics.md): of its period, of the previous one, by day, by campaign and of its mailboxes. */
@Injectable()
export class ReportFiguresService {
  constructor(
    private readonly analytics: AnalyticsService,
    private readonly campaigns: CampaignRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly leases: MailboxLeaseService,
    private readonly blacklists: MailboxBlacklistStatusRepository,
  ) {}

  /** Deleted campaigns, and those of other workspaces, are left out. */
  async subject({ workspaceId, reportType, campaignIds }: ReportScope): Promise<ReportSubject> {
    if (reportType === 'workspace') return { workspaceId, names: [], campaignIds: null, mailboxIds: null };
    const ids = campaignIds.map(parseId).filter((id) => id !== null);
    const found = await this.campaigns.listWithMailboxes(workspaceId, ids);
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
      this.analytics.figuresOfCampaigns(workspaceId, period, only),
      this.analytics.figuresOfCampaigns(workspaceId, getPreviousDays(period), only),
      trend.first === period.first ? null : this.analytics.figuresOfCampaigns(workspaceId, trend, only),
    ]);
    const ids = (drawn ?? counted).map(({ id }) => id);
    const days = await this.analytics.figuresByDay(workspaceId, trend, ids);
    return {
      figures: sumFigures(counted),
      before: sumFigures(before),
      days,
      campaigns: rankCampaigns(counted),
      counted,
    };
  }

  /** Sums up the mailboxes in batches, so that memory does not grow with their number. */
  async reviewMailboxes(scope: MailboxScope): Promise<{ summary: MailboxSummary; troubles: MailboxTroubles }> {
    const tally = new MailboxSummaryBuilder();
    for await (const batch of this.mailboxes.batches(scope.workspaceId, scope.mailboxIds, BATCH)) {
      await this.#addMailboxes(tally, batch, scope);
    }
    return { summary: tally.summary(), troubles: tally.troubles() };
  }

  async #addMailboxes(
    tally: MailboxSummaryBuilder,
    batch: readonly ReviewedMailbox[],
    { workspaceId, days, campaignIds }: MailboxScope,
  ): Promise<void> {
    const ids = batch.map(({ _id }) => _id);
    const names = ids.map((id) => id.toHexString());
    const [leases, blacklists, figures] = await Promise.all([
      this.leases.findStates(workspaceId, names),
      this.blacklists.find(new Types.ObjectId(workspaceId), ids),
      this.analytics.figuresOfMailboxes(workspaceId, days, names, campaignIds),
    ]);
    for (const mailbox of batch) {
      const id = mailbox._id.toHexString();
      tally.add(mailbox, {
        isStopped: (leases.get(id)?.stopped ?? null) !== null,
        isListed: (blacklists.get(id)?.listings.length ?? 0) > 0,
        figures: figures.get(id),
      });
    }
  }
}

function sumFigures(campaigns: readonly CampaignFigures[]): DayFigures {
  return campaigns.reduce((sum, { figures }) => addFigures(sum, figures), createFigures());
}
