import { type SendOutcome } from '@adapters/mail';
import { systemScope } from '@domain/access';
import { type CampaignRecord } from '@domain/campaigns';
import { MailboxConnectionService, type MailboxRecord } from '@domain/mailboxes';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { LogService } from '@platform/observability';
import { CampaignCompletionService } from './campaign-completion.service';
import { type Claim } from './send-claim.service';
import { type SenderMailbox } from './mailbox-sender-cache';
import { type Handover } from './send-handover.service';
import { DueLeadCacheService } from './due-lead-cache.service';
import { type Verdict } from './outcome-decision';
import { type BouncedEmail, getBounce } from './sent-email.service';

/** What an attempt means beyond the email itself: for the mailbox's connection, for the address, for the campaign. */
@Injectable()
export class SendSideEffectsService {
  constructor(
    private readonly connections: MailboxConnectionService,
    private readonly suppressions: SuppressionsService,
    private readonly completion: CampaignCompletionService,
    private readonly desk: DueLeadCacheService,
    private readonly log: LogService,
  ) {}

  /** Called after the outcome was written; repeating it is harmless, and that it is lost with the worker costs no email. */
  async follow(
    { record }: SenderMailbox,
    { send, campaign }: Claim,
    { outcome }: Handover,
    verdict: Verdict,
  ): Promise<void> {
    await this.followEmail(record, outcome, verdict, { email: send.email, sendId: String(send._id) });
    const mayBeLast = verdict.kind === 'sent' || verdict.kind === 'bounced' || verdict.kind === 'failed';
    if (mayBeLast && !(await this.desk.hasMore(campaign.id))) await this.completion.check(campaign.record);
  }

  /** What it means for the mailbox's connection and for the address, whatever kind of email it was. */
  async followEmail(
    mailbox: MailboxRecord,
    outcome: SendOutcome,
    verdict: Verdict,
    email: BouncedEmail,
  ): Promise<void> {
    const { workspaceId, _id: mailboxId } = mailbox;
    await this.followConnection(mailbox, outcome, verdict);
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
  async followConnection(
    { workspaceId, _id: mailboxId, credentialsRevision, status }: MailboxRecord,
    outcome: SendOutcome,
    verdict: Verdict,
  ): Promise<void> {
    const atWork = { workspaceId, mailboxId, revision: String(credentialsRevision) };
    if (verdict.kind === 'release' && verdict.mailboxFailed && 'stage' in outcome) {
      await this.connections.recordFailure(atWork, outcome, 'outgoing');
    }
    // A mailbox in trouble was tried, and it works again.
    if (verdict.kind === 'sent' && status !== 'active') await this.connections.recordSuccess(atWork, 'outgoing');
  }

  /** The mailbox has found nothing more to do for these. */
  async exhausted(campaigns: readonly CampaignRecord[]): Promise<void> {
    for (const campaign of campaigns) await this.completion.check(campaign);
  }
}
