import { systemScope } from '@domain/access';
import { InboxReplyRecord, InboxReplyRepository } from '@domain/inbox';
import { MailboxFiguresService } from '@domain/mailboxes';
import { type Cooldown, MailboxLeaseService } from '@domain/sends';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { returnToken, takeToken } from '../../decide/tokens';
import { MailboxLeaseLostError } from '../mailbox-lease-lost.errors';
import { type SenderMailbox } from '../mailbox-sender-cache';
import { type MessageHandover } from '../message-handover.service';
import { type Verdict } from '../outcome-decision';
import { retryOnDatabaseUnavailable } from '../retry-on-database-unavailable';
import { getBounce, SentEmailService } from '../sent-email.service';

/** Writes the outcome of an attempt to send a reply, together with its conversation and the mailbox's figures. */
@Injectable()
export class ReplyOutcomeService {
  constructor(
    private readonly replies: InboxReplyRepository,
    private readonly leases: MailboxLeaseService,
    private readonly figures: MailboxFiguresService,
    private readonly emails: SentEmailService,
    private readonly suppressions: SuppressionsService,
    private readonly transactions: TransactionService,
  ) {}

  /** @returns false when the lease was lost: its new holder resolves the reply */
  async write(
    mailbox: SenderMailbox,
    reply: InboxReplyRecord,
    handover: MessageHandover,
    verdict: Verdict,
    now: Date,
  ): Promise<boolean> {
    try {
      return await retryOnDatabaseUnavailable(() =>
        this.transactions.run(() => this.#write(mailbox, reply, handover, verdict, now)),
      );
    } catch (error) {
      if (error instanceof MailboxLeaseLostError) return false;
      throw error;
    }
  }

  async #write(
    mailbox: SenderMailbox,
    reply: InboxReplyRecord,
    { outcome, handoverAt, draftId }: MessageHandover,
    verdict: Verdict,
    now: Date,
  ): Promise<boolean> {
    const from = handoverAt ? 'sending' : 'claimed';
    const lastReply = 'lastReply' in outcome && outcome.lastReply ? { lastReply: outcome.lastReply } : {};
    switch (verdict.kind) {
      case 'sent': {
        const { providerMessageId, providerThreadId } = verdict;
        const sent = { state: 'sent', at: now, providerMessageId, providerThreadId, ...lastReply } as const;
        if (!(await this.replies.markSent(reply, ['sending', 'ambiguous'], sent))) return false;
        return this.#count(reply, { sent: 1 }, now);
      }
      case 'release':
        return this.#release(mailbox, reply, { isHandedOver: handoverAt !== null, ...verdict });
      case 'retry': {
        const { reason, at } = verdict;
        return this.replies.settle(reply, from, { state: 'retry', reason, dueAt: at, ...lastReply });
      }
      case 'stop_mailbox': {
        const { reason } = verdict;
        const settled = await this.replies.settle(reply, from, { state: 'retry', reason, dueAt: now, ...lastReply });
        return settled && this.#stop(reply, reason);
      }
      case 'ambiguous': {
        const { reason, resolveAt } = verdict;
        return this.replies.settle(reply, from, { state: 'ambiguous', reason, resolveAt, draftId, ...lastReply });
      }
      case 'bounced':
      case 'failed': {
        const { kind, reason } = verdict;
        if (!(await this.replies.settle(reply, from, { state: 'failed', reason, ...lastReply }))) return false;
        if (kind === 'bounced') await this.#suppress(reply, reason);
        return this.#count(reply, kind === 'bounced' ? { bounced: 1 } : { failed: 1 }, now);
      }
    }
  }

  /**
   * Undoes a claim that was not handed over. Joins the running transaction.
   * @param isHandedOver the handover began, but the message certainly stayed a draft
   * @returns false if the reply no longer belongs to this lease
   * @throws MailboxLeaseLostError
   */
  async #release(
    { lease, facts }: SenderMailbox,
    reply: InboxReplyRecord,
    { isHandedOver, reason, cooldown }: { isHandedOver: boolean; reason: string; cooldown: Cooldown | null },
  ): Promise<boolean> {
    const at = reply.claimedAt ?? reply.dueAt;
    if (!(await this.replies.release(reply, isHandedOver ? 'sending' : 'claimed', reason))) return false;
    if (cooldown && !(await this.leases.startCooldown(lease, cooldown))) throw new MailboxLeaseLostError();
    const tokens = returnToken({ ...facts, ...takeToken(facts, at) }, at);
    if (!(await this.leases.writeBudget(lease, tokens))) throw new MailboxLeaseLostError();
    return true;
  }

  async #stop(reply: InboxReplyRecord, reason: string): Promise<true> {
    const { workspaceId, mailboxId } = reply;
    await this.leases.stop(workspaceId.toHexString(), mailboxId.toHexString(), { code: 'REFUSED', message: reason });
    await this.emails.recordMailboxStopped(reply, reason);
    return true;
  }

  /** The address does not exist: it is suppressed for all campaigns, in the transaction of the outcome. */
  async #suppress({ workspaceId, email }: InboxReplyRecord, reason: string): Promise<void> {
    await this.suppressions.record(
      systemScope(workspaceId.toHexString()),
      ...getBounce({ email, sendId: null }, reason),
    );
  }

  async #count(
    { workspaceId, mailboxId }: InboxReplyRecord,
    figures: Parameters<MailboxFiguresService['count']>[2],
    at: Date,
  ): Promise<true> {
    const workspace = { workspaceId: workspaceId.toHexString() };
    await this.figures.countIfExists(workspace, mailboxId.toHexString(), figures, at);
    return true;
  }
}
