import { systemScope } from '@domain/access';
import { type CampaignFigures } from '@domain/analytics';
import { CampaignRepository } from '@domain/campaigns';
import { CreditsService } from '@domain/credits';
import { ConversationRepository } from '@domain/inbox';
import { WebhookHealthService } from '@domain/webhooks';
import { Injectable } from '@nestjs/common';
import { addDays, startOfDay } from '@platform/time';
import { type ReportSubject } from '../figures/report-figures.service';
import { type MailboxTroubles, type Named } from '../figures/mailbox-summary';
import { toShortName } from '../layout/report-wording';
import { type ReportPeriod } from '../report-shape';
import { listAttention, type AttentionFacts, type AttentionList, MAX_ITEMS, type StoppedCampaign } from './attention';
import { AttentionSourceRegistry } from './attention-source.registry';
import { wasDue } from './idle-campaigns';

/** Names per sentence. */
const EXAMPLES = 3;
/** Upper limit of counts: a larger number adds no information. */
const MAX_COUNTED = 1_000;
const NO_NAMES: Named = { count: 0, examples: [] };

type CampaignFacts = Pick<AttentionFacts, 'stoppedCampaigns' | 'furtherStopped' | 'idleCampaigns'>;

/**
 * Collects what needs attention now: of campaigns, and for a report on the workspace also of webhooks, credits and
 * other domains.
 */
@Injectable()
export class AttentionService {
  constructor(
    private readonly campaigns: CampaignRepository,
    private readonly replies: ConversationRepository,
    private readonly webhooks: WebhookHealthService,
    private readonly credits: CreditsService,
    private readonly sources: AttentionSourceRegistry,
  ) {}

  async read(
    subject: ReportSubject,
    period: ReportPeriod,
    known: { mailboxes: MailboxTroubles; counted: readonly CampaignFigures[] },
  ): Promise<AttentionList> {
    const { workspaceId, campaignIds } = subject;
    const [campaigns, waiting, ofWorkspace] = await Promise.all([
      this.#campaigns(subject, period, known.counted),
      this.replies.countPositive(workspaceId, campaignIds, MAX_COUNTED),
      campaignIds === null ? this.#readWorkspace(workspaceId, period) : NOTHING,
    ]);
    const waitingReplies = { count: waiting, isMore: waiting === MAX_COUNTED };
    return listAttention({ ...campaigns, ...ofWorkspace, waitingReplies, mailboxes: known.mailboxes });
  }

  async #campaigns(
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
      this.sources.list(workspace),
    ]);
    const examples = disabled.slice(0, EXAMPLES).map(({ name }) => toShortName(name));
    return { disabledWebhooks: { count: disabled.length, examples }, credits: { balance, spent }, others };
  }
}

type WorkspaceFacts = Pick<AttentionFacts, 'disabledWebhooks' | 'credits' | 'others'>;

const NOTHING: WorkspaceFacts = { disabledWebhooks: NO_NAMES, credits: null, others: [] };
