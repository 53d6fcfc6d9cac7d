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

/** The effects of an attempt on the mailbox's connection, on the address and on the campaign. */
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

  /** Called after the outcome was written. A repetition is harmless, and a crash before it loses no email. */
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

  /** Applies the effects on the mailbox's connection and on the address, for any kind of email. */
  async applyToMailbox(
    mailbox: MailboxRecord,
    outcome: SendOutcome,
    verdict: Verdict,
    email: BouncedEmail,
  ): Promise<void> {
    const { workspaceId, _id: mailboxId } = mailbox;
    await this.applyToConnection(mailbox, outcome, verdict);
    if (verdict.kind === 'bounced') {
      // The outcome has stored the suppression; this withholds other sends to the address.
      await this.suppressions.add(systemScope(workspaceId.toHexString()), ...getBounce(email, verdict.reason));
    }
    if (verdict.kind === 'stop_mailbox') {
      this.log.warn('A mailbox is stopped: its server refused an email because of the sender', {
        mailboxId: mailboxId.toHexString(),
        sendId: email.sendId,
      });
    }
  }

  /** Applies the effects on the mailbox's connection alone. */
  async applyToConnection(
    { workspaceId, _id: mailboxId, credentialsRevision, status }: MailboxRecord,
    outcome: SendOutcome,
    verdict: Verdict,
  ): Promise<void> {
    const atWork = { workspaceId, mailboxId, revision: String(credentialsRevision) };
    if (verdict.kind === 'release' && verdict.mailboxFailed && 'stage' in outcome) {
      await this.connections.recordFailure(atWork, outcome, 'outgoing');
    }
    // The accepted email proves that the failed connection works again.
    if (verdict.kind === 'sent' && status !== 'active') await this.connections.recordSuccess(atWork, 'outgoing');
  }

  /** Completes those of the campaigns that have no lead left. */
  async completeExhausted(campaigns: readonly CampaignRecord[]): Promise<void> {
    for (const campaign of campaigns) await this.completeIfDone(campaign);
  }

  /**
   * Completes the campaign if no lead of it is active, or paused with a resume date. Leads that were added after the
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
      // The campaign was deleted meanwhile: the mailbox continues with its others.
      if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
    }
  }
}
