import { systemScope } from '@domain/access';
import { AnalyticsService, type CampaignFigures, type DayFigures, type NamedDays } from '@domain/analytics';
import { CampaignRepository } from '@domain/campaigns';
import { CreditsService } from '@domain/credits';
import { MailboxBlacklistStatusRepository } from '@domain/deliverability';
import { ConversationRepository } from '@domain/inbox';
import { MailboxRepository, type ReviewedMailbox } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { WebhookHealthService } from '@domain/webhooks';
import { Injectable } from '@nestjs/common';
import { parseId } from '@platform/database';
import { HookRegistry } from '@platform/hooks';
import { addDays, startOfDay } from '@platform/time';
import { Types } from 'mongoose';
import {
  type AttentionFacts,
  type AttentionList,
  MAX_ITEMS,
  type StoppedCampaign,
  listAttention,
} from '../attention/attention';
import { ATTENTION_SOURCES } from '../attention/attention-source';
import { wasDue } from '../attention/idle-campaigns';
import { toShortName } from '../layout/report-wording';
import { type ReportFacts } from '../report-facts';
import { type ReportPeriod, type ReportScope } from '../report-shape';
import { rankCampaigns } from './campaign-ranking';
import { getPreviousDays, getTrendDays } from './compared-days';
import { addFigures, createReportFigures } from './figure-sums';
import { type MailboxSummary, type MailboxTroubles, type Named } from './mailbox-summary';
import { MailboxSummaryBuilder } from './mailbox-summary-builder';

/** Mailboxes per batch. */
const BATCH = 500;
/** Names per sentence. */
const EXAMPLES = 3;
/** Upper limit of counts: a larger number adds no information. */
const MAX_COUNTED = 1_000;
const NO_NAMES: Named = { count: 0, examples: [] };

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

type CampaignFacts = Pick<AttentionFacts, 'stoppedCampaigns' | 'furtherStopped' | 'idleCampaigns'>;

type WorkspaceFacts = Pick<AttentionFacts, 'disabledWebhooks' | 'credits' | 'others'>;

const NOTHING: WorkspaceFacts = { disabledWebhooks: NO_NAMES, credits: null, others: [] };

/**
 * Figures of a report (docs/users/analytics.md): of its period, of the previous one, by day, by campaign and of its mailboxes.
 * Also what needs attention now.
 */
@Injectable()
export class ReportFiguresService {
  constructor(
    private readonly analytics: AnalyticsService,
    private readonly campaigns: CampaignRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly leases: MailboxLeaseService,
    private readonly blacklists: MailboxBlacklistStatusRepository,
    private readonly replies: ConversationRepository,
    private readonly webhooks: WebhookHealthService,
    private readonly credits: CreditsService,
    private readonly hooks: HookRegistry,
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

  /** Lists what needs attention: of campaigns, and for a report on the workspace also of webhooks, credits and other domains. */
  async readAttention(
    subject: ReportSubject,
    period: ReportPeriod,
    known: { mailboxes: MailboxTroubles; counted: readonly CampaignFigures[] },
  ): Promise<AttentionList> {
    const { workspaceId, campaignIds } = subject;
    const [campaigns, waiting, ofWorkspace] = await Promise.all([
      this.#reviewCampaigns(subject, period, known.counted),
      this.replies.countPositive(workspaceId, campaignIds, MAX_COUNTED),
      campaignIds === null ? this.#readWorkspace(workspaceId, period) : NOTHING,
    ]);
    const waitingReplies = { count: waiting, isMore: waiting === MAX_COUNTED };
    return listAttention({ ...campaigns, ...ofWorkspace, waitingReplies, mailboxes: known.mailboxes });
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

  async #reviewCampaigns(
    { workspaceId, campaignIds }: ReportSubject,
    period: ReportPeriod,
    counted: readonly CampaignFigures[],
  ): Promise<CampaignFacts> {
    const sending = new Set(counted.flatMap(({ id, figures }) => (figures.sent > 0 ? [id] : [])));
    const stopped: StoppedCampaign[] = [];
    const idle: string[] = [];
    let furtherStopped = 0;
    let idleCount = 0;
    for await (const campaign of this.campaigns.listActiveOrPaused(workspaceId, campaignIds)) {
      const { _id, problem, name } = campaign;
      if (problem) {
        const item = { name: toShortName(name), isForBounces: problem.code === 'bounce_rate', reason: problem.message };
        if (stopped.length < MAX_ITEMS) stopped.push(item);
        else furtherStopped += 1;
      } else if (wasDue(campaign, period) && !sending.has(_id.toHexString())) {
        idleCount += 1;
        if (idle.length < EXAMPLES) idle.push(toShortName(name));
      }
    }
    return { stoppedCampaigns: stopped, furtherStopped, idleCampaigns: { count: idleCount, examples: idle } };
  }

  async #readWorkspace(workspaceId: string, { first, last, timezone }: ReportPeriod): Promise<WorkspaceFacts> {
    const span = { from: startOfDay(first, timezone), until: startOfDay(addDays(last, 1), timezone) };
    const workspace = systemScope(workspaceId);
    const [disabled, { balance }, spent, others] = await Promise.all([
      this.webhooks.listDisabled(workspaceId, MAX_COUNTED),
      this.credits.balance(workspace),
      this.credits.spent(workspace, span),
      this.hooks.call(ATTENTION_SOURCES, 'attention', workspace),
    ]);
    const examples = disabled.slice(0, EXAMPLES).map(({ name }) => toShortName(name));
    return {
      disabledWebhooks: { count: disabled.length, examples },
      credits: { balance, spent },
      others: others.flat(),
    };
  }
}

function sumFigures(campaigns: readonly CampaignFigures[]): DayFigures {
  return campaigns.reduce((sum, { figures }) => addFigures(sum, figures), createReportFigures());
}
