import { type SendOutcome } from '@adapters/mail';
import { systemScope } from '@domain/access';
import { type CampaignRecord, CampaignStatusService } from '@domain/campaigns';
import { DueLeadRepository } from '@domain/leads';
import { MailboxConnectionService, type MailboxRecord } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { AppError } from '@platform/errors';
import { LogService } from '@platform/observability';
import { DueLeadCacheService } from './due-lead-cache.service';
import { type SenderMailbox } from './mailbox-sender-cache';
import { type Verdict } from './outcome-decision';
import { type Claim } from './send-claim.service';
import { type Handover } from './send-handover.service';
import { type BouncedEmail, getBounce } from './sent-email.service';

/** What an attempt means beyond the email itself: for the mailbox's connection, for the address, for the campaign. */
@Injectable()
export class SendSideEffectsService {
  constructor(
    private readonly connections: MailboxConnectionService,
    private readonly suppressions: SuppressionsService,
    private readonly dueLeads: DueLeadCacheService,
    private readonly log: LogService,
    private readonly leads: DueLeadRepository,
    private readonly transitions: CampaignStatusService,
  ) {}

  /** Called after the outcome was written; repeating it is harmless, and that it is lost with the worker costs no email. */
  async apply(
    { record }: SenderMailbox,
    { send, campaign }: Claim,
    { outcome }: Handover,
    verdict: Verdict,
  ): Promise<void> {
    await this.applyToMailbox(record, outcome, verdict, { email: send.email, sendId: String(send._id) });
    const mayBeLast = verdict.kind === 'sent' || verdict.kind === 'bounced' || verdict.kind === 'failed';
    if (mayBeLast && !(await this.dueLeads.hasMore(campaign.id))) await this.completeIfDone(campaign.record);
  }

  /** What it means for the mailbox's connection and for the address, whatever kind of email it was. */
  async applyToMailbox(
    mailbox: MailboxRecord,
    outcome: SendOutcome,
    verdict: Verdict,
    email: BouncedEmail,
  ): Promise<void> {
    const { workspaceId, _id: mailboxId } = mailbox;
    await this.applyToConnection(mailbox, outcome, verdict);
    if (verdict.kind === 'bounced') {
      // On record since the outcome; what else is on its way to the address is held back now.
      await this.suppressions.add(systemScope(workspaceId.toHexString()), ...getBounce(email, verdict.reason));
    }
    if (verdict.kind === 'stop_mailbox') {
      this.log.warn('A mailbox is stopped: its server refused for a reason that is the sender’s', {
        mailboxId: mailboxId.toHexString(),
        sendId: email.sendId,
      });
    }
  }

  /** What it means for the mailbox's connection alone. */
  async applyToConnection(
    { workspaceId, _id: mailboxId, credentialsRevision, status }: MailboxRecord,
    outcome: SendOutcome,
    verdict: Verdict,
  ): Promise<void> {
    const atWork = { workspaceId, mailboxId, revision: String(credentialsRevision) };
    if (verdict.kind === 'release' && verdict.mailboxFailed && 'stage' in outcome) {
      await this.connections.failed(atWork, outcome, 'outgoing');
    }
    // A mailbox in trouble was tried, and it works again.
    if (verdict.kind === 'sent' && status !== 'active') await this.connections.succeeded(atWork, 'outgoing');
  }

  /** The mailbox has found nothing more to do for these. */
  async completeExhausted(campaigns: readonly CampaignRecord[]): Promise<void> {
    for (const campaign of campaigns) await this.completeIfDone(campaign);
  }

  /**
   * Completes the campaign if no lead of it is active, or paused with a date to go on. Leads that were added after the
   * campaign was read keep it from being completed.
   */
  async completeIfDone({
    _id,
    workspaceId,
    leadsRevision,
  }: Pick<CampaignRecord, '_id' | 'workspaceId' | 'leadsRevision'>): Promise<void> {
    if (await this.leads.anyLeft(workspaceId, _id)) return;
    try {
      await this.transitions.complete(systemScope(workspaceId.toHexString()), _id.toHexString(), leadsRevision);
    } catch (error) {
      // Deleted since it was read: the mailbox goes on with its other campaigns.
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }
}
