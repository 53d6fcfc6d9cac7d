import { type ComposedMessage, type SendOutcome } from '@adapters/mail';
import { systemScope } from '@domain/access';
import { CampaignRepository } from '@domain/campaigns';
import { WorkspaceRepository, WorkspacesService } from '@domain/identity';
import { type Limited } from '@domain/sending';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type Model } from 'mongoose';
import { ReportContentService } from '../content/report-content.service';
import { listExistingCampaigns } from '../recipients/recipient-campaigns';
import { ReportUnsubscribeService } from '../recipients/report-unsubscribe.service';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { type ReportRecord } from '../schemas/report.record';
import {
  type Attempt,
  type AttemptOutcome,
  LIMITED,
  type ReportSendFacts,
  decideAfterAttempt,
  decideAfterReportFailure,
  decideReport,
} from './report-decision';
import { composeReport, getReportMessageId } from './report-message';
import { type ReportSender, ReportSenderService } from './report-sender.service';
import { type LeasedReport, ReportRepository } from './report.repository';

/** Time until a server has to accept a report, from the connection on: shorter than the lease of a report. */
const DEADLINE_MS = 4 * 60_000;

/** The current recipient of a report. */
interface RecipientEligibility {
  readonly facts: Pick<ReportSendFacts, 'recipient' | 'isSuppressed'>;
  /** null when the recipient or its workspace is deleted. */
  readonly recipient: ReportRecipientRecord | null;
}

/** One attempt to send a report: checked, composed, checked again and submitted. */
@Injectable()
export class ReportAttemptService {
  constructor(
    private readonly outbox: ReportRepository,
    private readonly senders: ReportSenderService,
    private readonly contents: ReportContentService,
    private readonly unsubscribes: ReportUnsubscribeService,
    private readonly workspaces: WorkspacesService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly suppressions: SuppressionsService,
    private readonly workspaceRepository: WorkspaceRepository,
  ) {}

  /** Makes the attempt and returns what follows; the caller writes it. */
  async send(report: LeasedReport, signal: AbortSignal): Promise<AttemptOutcome> {
    const { facts, recipient } = await this.#checkEligibility(report);
    const sender = await this.senders.find(report.workspaceId);
    const senderFacts = await this.senders.getFacts(sender);
    const { expiresAt, email, reason } = report;
    const decision = decideReport({ expiresAt, email, reason, ...facts, sender: senderFacts }, this.clock.now());
    if (decision.kind !== 'send') return decision;
    // Without either of them the decision is not `send`.
    if (!recipient || !sender) return { kind: 'released' };
    const attempt = this.toAttempt(report, sender.kind === 'mailbox');
    const outcome = await this.#submit(report, recipient, sender, signal);
    const now = this.clock.now();
    if (outcome === null) return decideAfterReportFailure('The report could not be composed', attempt, now);
    if (outcome.kind === 'limited') return { kind: 'wait', until: outcome.until, reason: LIMITED };
    if (outcome.kind === 'accepted' || outcome.kind === 'withheld')
      return decideAfterAttempt(outcome, '', attempt, now);
    const reply = this.senders.getReason(sender, outcome);
    // Only the operator can fix it.
    if (sender.kind === 'operator') this.log.warn(`The mail server for reports: ${outcome.message}`);
    return decideAfterAttempt(outcome, reply, attempt, now);
  }

  toAttempt({ attempts, state, expiresAt }: LeasedReport, hasSentFolder: boolean): Attempt {
    // A report in state `sending` was counted at its handover.
    return {
      attempts: state === 'sending' ? attempts : attempts + 1,
      expiresAt,
      hasSentFolder,
      random: Math.random(),
    };
  }

  /**
   * Reads the facts that may forbid a report. Reads in sequence: a transaction allows no parallel calls. Deleted campaigns
   * are left out of the recipient.
   */
  async #checkEligibility({ workspaceId, recipientId, email, trigger }: ReportRecord): Promise<RecipientEligibility> {
    const workspace = workspaceId.toHexString();
    const alive = await this.workspaceRepository.filterAlive([workspace]);
    const stored = await this.recipients.findOne({ _id: recipientId, workspaceId }).lean<ReportRecipientRecord>();
    const isSuppressed = await this.suppressions.isSuppressed(workspace, email);
    if (!stored || !alive.has(workspace)) return { facts: { recipient: null, isSuppressed }, recipient: null };
    const campaignIds = await listExistingCampaigns(this.campaigns, workspaceId, stored.campaignIds);
    const hasSubject = stored.reportType === 'workspace' || campaignIds.length > 0;
    const { active, email: present, schedule } = stored;
    const isSubscribed = trigger === 'manual' || schedule.enabled;
    return {
      facts: { recipient: { active, isSubscribed, email: present, hasSubject }, isSuppressed },
      recipient: Object.assign(stored, { campaignIds }),
    };
  }

  /** Null when the report could not be composed; the error is logged. */
  async #submit(
    report: LeasedReport,
    recipient: ReportRecipientRecord,
    sender: ReportSender,
    signal: AbortSignal,
  ): Promise<SendOutcome | Limited | null> {
    const message = await this.#compose(report, recipient, sender).catch((error: unknown) => {
      this.log.error(`Report ${report._id.toHexString()} could not be composed`, error);
      return null;
    });
    if (message === null) return null;
    const { messageId } = message;
    return this.senders.send(sender, message, {
      signal,
      deadline: AbortSignal.timeout(DEADLINE_MS),
      mark: async (mailboxId, { draftId }) =>
        (await this.#maySend(report)) && this.outbox.startHandover(report, { mailboxId, messageId, draftId }),
    });
  }

  /** Checks again, as composing takes seconds in which the report may be forbidden. */
  async #maySend(report: LeasedReport): Promise<boolean> {
    const { facts } = await this.#checkEligibility(report);
    const { expiresAt, email, reason } = report;
    const sender = { kind: 'operator' } as const;
    return decideReport({ expiresAt, email, reason, ...facts, sender }, this.clock.now()).kind === 'send';
  }

  /** Composes the report with the current figures of its days. From the operator's server it carries the workspace's name. */
  async #compose(
    report: ReportRecord,
    recipient: ReportRecipientRecord,
    sender: ReportSender,
  ): Promise<ComposedMessage> {
    const { name, email, reportType, campaignIds } = recipient;
    const workspaceId = report.workspaceId.toHexString();
    const scope = { workspaceId, reportType, campaignIds: campaignIds.map((id) => id.toHexString()) };
    const now = this.clock.now();
    const rendered = await this.contents.render(scope, report.period, { name }, now);
    const workspace = sender.kind === 'operator' ? await this.workspaces.get(systemScope(workspaceId)) : null;
    return composeReport(rendered, {
      from: workspace ? { ...sender.from, name: workspace.name } : sender.from,
      to: { name, address: email },
      messageId: getReportMessageId(report.recipientId.toHexString(), report.key, sender.from.address),
      date: now,
      stopUrl: this.unsubscribes.getUrl(recipient),
    });
  }
}
