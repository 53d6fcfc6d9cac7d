import { ActiveCampaignsRepository } from '@domain/campaigns';
import { DueLeadRepository } from '@domain/leads';
import { type MailboxRecord } from '@domain/mailboxes';
import { type LastReply, type SendRecord, SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { threadAfter } from '../render/email-thread';
import { type AmbiguousMail, type AttemptedMail, type MailResolution, type SettledMail } from './outbound-mail-source';
import { type Verdict } from './outcome-decision';
import { type Claim, SendClaimService } from './send-claim.service';
import { type SentEmail } from './sent-email-changes';
import { SentEmailService } from './sent-email.service';

type Of<K extends Verdict['kind']> = AttemptedMail<Extract<Verdict, { kind: K }>>;

/** A claimed email, rendered unless it was never handed over. */
export interface RenderedClaim extends Claim {
  readonly subject?: string;
}

/** Writes the outcome of an attempt, or its resolution: the send, the lead, the figures and the event together. */
@Injectable()
export class SendOutcomeService {
  constructor(
    private readonly claims: SendClaimService,
    private readonly sends: SendRepository,
    private readonly leads: DueLeadRepository,
    private readonly campaigns: ActiveCampaignsRepository,
    private readonly sent: SentEmailService,
  ) {}

  /** Joins the transaction. False if the send no longer belongs to this lease. */
  async settle(mailbox: MailboxRecord, claim: RenderedClaim, attempted: SettledMail): Promise<boolean> {
    const { send } = claim;
    const { handover, verdict, now } = attempted;
    const from = handover.handoverAt ? 'sending' : 'claimed';
    const lastReply = getLastReply(attempted);
    switch (verdict.kind) {
      case 'sent': {
        const sent = toSentEmail(mailbox, claim, { ...attempted, verdict });
        if (!sent || !(await this.sends.settle(send, from, toSentOutcome({ ...attempted, verdict })))) return false;
        await this.sent.recordSent(sent);
        return true;
      }
      case 'retry':
      case 'stop_mailbox': {
        const { reason } = verdict;
        if (!(await this.sends.settle(send, from, { state: 'retry', reason, ...lastReply }))) return false;
        const isPutBack = await this.claims.putBack(send, verdict.kind === 'retry' ? verdict.at : now);
        return isPutBack || verdict.kind === 'stop_mailbox';
      }
      case 'ambiguous': {
        const { reason, resolveAt } = verdict;
        const { draftId } = handover;
        return this.sends.settle(send, from, { state: 'ambiguous', reason, resolveAt, draftId, ...lastReply });
      }
      case 'bounced':
      case 'failed':
        return (
          (await this.sends.settle(send, from, { state: 'failed', reason: verdict.reason, ...lastReply })) &&
          this.#end(claim, { ...attempted, verdict })
        );
    }
  }

  /** Writes the usual outcome with those of other mailboxes; false when it must be written alone. */
  async settleTogether(mailbox: MailboxRecord, claim: RenderedClaim, attempted: SettledMail): Promise<boolean> {
    const { handover, verdict } = attempted;
    if (verdict.kind !== 'sent' || !handover.handoverAt) return false;
    const sent = toSentEmail(mailbox, claim, { ...attempted, verdict });
    return sent !== null && this.sent.writeTogether({ ...sent, mailbox }, toSentOutcome({ ...attempted, verdict }));
  }

  /** Joins the transaction. False if the send no longer belongs to this lease. */
  async release(claim: Claim, { handover, verdict: { reason, cooldown }, now }: Of<'release'>): Promise<boolean> {
    const { send, lead } = claim;
    // A marked message that stayed a draft is retried, and its handover does not count as an attempt.
    const isReleased = handover.handoverAt
      ? await this.sends.settle(send, 'sending', { state: 'retry', reason, attempt: send.attempt - 1 })
      : await this.sends.release(send, reason);
    if (!isReleased) return false;
    // The server may refuse only this email, so other due emails go first.
    await this.claims.release(claim, cooldown ? now : (lead.record.dueAt ?? claim.at));
    return true;
  }

  /** Lists ambiguous sends whose resolution is due. */
  async listAmbiguous(now: Date, limit: number): Promise<AmbiguousMail[]> {
    return (await this.sends.listDueForResolution(now, limit)).map((send) => ({
      id: send._id.toHexString(),
      workspaceId: send.workspaceId,
      mailboxId: send.mailboxId,
      messageId: send.messageId,
      draftId: send.draftId,
      handoverAt: send.handoverAt ?? send.claimedAt,
      reschedule: (at) => this.sends.rescheduleResolution(send, at),
      isProven: () => Promise.resolve(Boolean(send.provenAt)),
      resolve: (resolution, mailbox) => this.#resolve(send, resolution, mailbox),
    }));
  }

  async #resolve(send: SendRecord, resolution: MailResolution, mailbox: MailboxRecord | null): Promise<boolean> {
    const { workspaceId, campaignId, leadId, subject, messageId } = send;
    const at = send.handoverAt ?? send.claimedAt;
    if (resolution.kind === 'not_sent') {
      // The lead is due again for the same email with the same Message-ID.
      const retry = { state: 'retry', reason: 'The email was not sent: its draft still exists' } as const;
      return (await this.sends.resolve(send, retry)) && this.claims.putBack(send, resolution.now);
    }
    const unconfirmed = resolution.kind === 'unconfirmed';
    const { providerMessageId, providerThreadId } =
      resolution.kind === 'found' ? resolution : { providerMessageId: null, providerThreadId: null };
    const isResolved = await this.sends.resolve(
      send,
      unconfirmed
        ? { state: 'sent_unconfirmed', at, reason: 'No proof was found in six hours' }
        : { state: 'sent', at, reason: 'The email was found in the sent mail', providerMessageId, providerThreadId },
    );
    if (!isResolved) return false;
    const campaign = await this.campaigns.find(workspaceId, campaignId);
    const lead = await this.leads.find(workspaceId, leadId);
    if (!campaign || !lead) return true; // Deleted in the meantime: the sequence does not continue.
    const thread = threadAfter(lead.thread, { subject, messageId, providerThreadId });
    await this.sent.recordSent({ send, mailbox, campaign, subject, at, thread, unconfirmed });
    return true;
  }

  async #end({ send, lead, campaign, subject }: RenderedClaim, attempted: Of<'bounced' | 'failed'>): Promise<boolean> {
    const { verdict, now: at } = attempted;
    const { reason } = verdict;
    const isBounce = verdict.kind === 'bounced';
    const ended = await this.leads.complete(lead.record, send._id, {
      reason: isBounce ? 'bounced_hard' : 'failed',
      at,
    });
    if (!ended) return false;
    const { lastReply = null } = getLastReply(attempted);
    await this.sent.recordRefused(send, { isBounce, reason, subject: subject ?? send.subject, lastReply, ended, at });
    if (verdict.kind === 'failed' && verdict.flagsCampaign) {
      const problem = { code: 'content_refused', message: reason, at };
      await this.campaigns.setProblem(campaign.record.workspaceId, campaign.record._id, problem);
    }
    return true;
  }
}

function getLastReply({ handover: { outcome } }: AttemptedMail): { lastReply?: LastReply } {
  return 'lastReply' in outcome && outcome.lastReply ? { lastReply: outcome.lastReply } : {};
}

function toSentOutcome(attempted: Of<'sent'>) {
  const { providerMessageId, providerThreadId } = attempted.verdict;
  return { state: 'sent' as const, at: attempted.now, providerMessageId, providerThreadId, ...getLastReply(attempted) };
}

/** Returns null for an email that was never rendered: no server can have accepted it. */
function toSentEmail(
  mailbox: MailboxRecord,
  { send, campaign, lead, subject }: RenderedClaim,
  { verdict: { providerThreadId }, now: at }: Of<'sent'>,
): SentEmail | null {
  if (subject === undefined) return null;
  const thread = threadAfter(lead.record.thread, { subject, messageId: send.messageId, providerThreadId });
  return { send, mailbox, campaign: campaign.record, subject, at, thread };
}
