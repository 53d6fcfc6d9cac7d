import { ActiveCampaignsRepository } from '@domain/campaigns';
import { DueLeadRepository } from '@domain/leads';
import { MailboxLeaseService, SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { threadAfter } from '../render/email-thread';
import { MailboxLeaseLostError } from './mailbox-lease-lost.errors';
import { type SenderMailbox } from './mailbox-sender-cache';
import { type Verdict } from './outcome-decision';
import { retryOnDatabaseUnavailable } from './retry-on-database-unavailable';
import { type Claim, SendClaimService } from './send-claim.service';
import { type Handover } from './send-handover.service';
import { type SentEmail } from './sent-email-changes';
import { SentEmailService } from './sent-email.service';

type Of<K extends Verdict['kind']> = Extract<Verdict, { kind: K }>;

/** Writes the outcome of an attempt: the send, the lead, the figures and the event together. */
@Injectable()
export class SendOutcomeService {
  constructor(
    private readonly claims: SendClaimService,
    private readonly sends: SendRepository,
    private readonly leads: DueLeadRepository,
    private readonly leases: MailboxLeaseService,
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly sent: SentEmailService,
    private readonly transactions: TransactionService,
  ) {}

  /** @returns false when the lease was lost: its new holder resolves the send */
  async write(mailbox: SenderMailbox, claim: Claim, handover: Handover, verdict: Verdict, now: Date): Promise<boolean> {
    try {
      return await retryOnDatabaseUnavailable(async () => {
        if (verdict.kind === 'sent' && (await this.#writeTogether(mailbox, claim, handover, verdict, now))) return true;
        return this.transactions.run(() => this.#write(mailbox, claim, handover, verdict, now));
      });
    } catch (error) {
      if (error instanceof MailboxLeaseLostError) return false;
      throw error;
    }
  }

  async #write(
    mailbox: SenderMailbox,
    claim: Claim,
    handover: Handover,
    verdict: Verdict,
    now: Date,
  ): Promise<boolean> {
    const { send } = claim;
    const from = handover.isHandedOver ? 'sending' : 'claimed';
    const { outcome } = handover;
    const lastReply = 'lastReply' in outcome && outcome.lastReply ? { lastReply: outcome.lastReply } : {};
    switch (verdict.kind) {
      case 'sent':
        return (
          (await this.sends.settle(send, from, toSentOutcome(handover, verdict, now))) &&
          this.#advance(mailbox, claim, handover, verdict, now)
        );
      case 'release':
        return this.#release(mailbox, claim, handover, verdict, now);
      case 'retry':
        return (
          (await this.sends.settle(send, from, { state: 'retry', reason: verdict.reason, ...lastReply })) &&
          this.claims.putBack(send, verdict.at)
        );
      case 'stop_mailbox': {
        const { reason } = verdict;
        if (!(await this.sends.settle(send, from, { state: 'retry', reason, ...lastReply }))) return false;
        await this.claims.putBack(send, now);
        await this.leases.stop(String(send.workspaceId), String(send.mailboxId), { code: 'REFUSED', message: reason });
        await this.sent.recordMailboxStopped(send, reason);
        return true;
      }
      case 'ambiguous': {
        const { reason, resolveAt } = verdict;
        return this.sends.settle(send, from, {
          state: 'ambiguous',
          reason,
          resolveAt,
          draftId: handover.draftId,
          ...lastReply,
        });
      }
      case 'bounced':
      case 'failed':
        return (
          (await this.sends.settle(send, from, { state: 'failed', reason: verdict.reason, ...lastReply })) &&
          this.#end(claim, handover, verdict, now)
        );
    }
  }

  /** Writes the usual outcome with those of other mailboxes; false when it must be written alone. */
  async #writeTogether(
    mailbox: SenderMailbox,
    claim: Claim,
    handover: Handover,
    verdict: Of<'sent'>,
    now: Date,
  ): Promise<boolean> {
    const sent = toSentEmail(mailbox, claim, handover, verdict, now);
    if (!sent || !handover.isHandedOver) return false;
    return this.sent.writeTogether({ ...sent, mailbox: mailbox.record }, toSentOutcome(handover, verdict, now));
  }

  async #advance(
    mailbox: SenderMailbox,
    claim: Claim,
    handover: Handover,
    verdict: Of<'sent'>,
    now: Date,
  ): Promise<boolean> {
    const sent = toSentEmail(mailbox, claim, handover, verdict, now);
    if (!sent) return false;
    await this.sent.recordSent(sent);
    return true;
  }

  async #release(
    mailbox: SenderMailbox,
    claim: Claim,
    { isHandedOver }: Handover,
    { reason, cooldown }: Of<'release'>,
    now: Date,
  ): Promise<boolean> {
    const { send, lead } = claim;
    // A marked message that stayed a draft is retried, and its handover does not count as an attempt.
    const settled = isHandedOver
      ? await this.sends.settle(send, 'sending', { state: 'retry', reason, attempt: send.attempt - 1 })
      : await this.sends.release(send, reason);
    if (!settled) return false;
    if (cooldown && !(await this.leases.startCooldown(mailbox.lease, cooldown))) throw new MailboxLeaseLostError();
    // The server may refuse only this email, so other due emails go first.
    await this.claims.release(mailbox, claim, cooldown ? now : (lead.record.dueAt ?? claim.at));
    return true;
  }

  async #end(
    { send, lead, campaign }: Claim,
    { outcome, email }: Handover,
    verdict: Of<'bounced' | 'failed'>,
    now: Date,
  ): Promise<boolean> {
    const isBounce = verdict.kind === 'bounced';
    const ended = await this.leads.complete(lead.record, send._id, {
      reason: isBounce ? 'bounced_hard' : 'failed',
      at: now,
    });
    if (!ended) return false;
    const lastReply = 'lastReply' in outcome ? (outcome.lastReply ?? null) : null;
    const subject = email?.subject ?? send.subject;
    await this.sent.recordRefused(send, {
      isBounce,
      reason: verdict.reason,
      subject,
      lastReply,
      ended,
      at: now,
    });
    if (verdict.kind === 'failed' && verdict.flagsCampaign) {
      const problem = { code: 'content_refused', message: verdict.reason, at: now };
      await this.campaigns.setProblem(campaign.record.workspaceId, campaign.record._id, problem);
    }
    return true;
  }
}

function toSentOutcome({ outcome }: Handover, { providerMessageId, providerThreadId }: Of<'sent'>, at: Date) {
  const lastReply = 'lastReply' in outcome && outcome.lastReply ? { lastReply: outcome.lastReply } : {};
  return { state: 'sent' as const, at, providerMessageId, providerThreadId, ...lastReply };
}

/** Returns null for an email that was never rendered: no server can have accepted it. */
function toSentEmail(
  { record: mailbox }: SenderMailbox,
  { send, campaign, lead }: Claim,
  { email }: Handover,
  { providerThreadId }: Of<'sent'>,
  at: Date,
): SentEmail | null {
  if (!email) return null;
  const { subject } = email;
  const thread = threadAfter(lead.record.thread, { subject, messageId: send.messageId, providerThreadId });
  return { send, mailbox, campaign: campaign.record, subject, at, thread };
}
