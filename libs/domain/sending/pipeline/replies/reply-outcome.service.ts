import { systemScope } from '@domain/access';
import { InboxReplyRecord, InboxReplyRepository } from '@domain/inbox';
import { MailboxFiguresService } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { type SenderMailbox } from '../mailbox-sender-cache';
import { type MessageHandover } from '../message-handover.service';
import { type Verdict } from '../outcome-decision';
import { retryOnDatabaseUnavailable } from '../retry-on-database-unavailable';
import { getBounce, SentEmailService } from '../sent-email.service';
import { MailboxLeaseLostError } from '../mailbox-lease-lost.errors';
import { ReplyClaimsService } from './reply-claims.service';

/** Writes what became of an attempt to send a reply: the reply, its conversation and the mailbox's figures together. */
@Injectable()
export class ReplyOutcomeService {
  constructor(
    private readonly claims: ReplyClaimsService,
    private readonly replies: InboxReplyRepository,
    private readonly turns: MailboxLeaseService,
    private readonly figures: MailboxFiguresService,
    private readonly emails: SentEmailService,
    private readonly suppressions: SuppressionsService,
    private readonly transactions: TransactionService,
  ) {}

  /** @returns false when the turn was lost meanwhile: then whoever has it finds out what became of the reply */
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
    { outcome, wiredAt, draftId }: MessageHandover,
    verdict: Verdict,
    now: Date,
  ): Promise<boolean> {
    const from = wiredAt ? 'wire' : 'claimed';
    const words = 'words' in outcome && outcome.words ? { words: outcome.words } : {};
    switch (verdict.kind) {
      case 'sent': {
        const { providerMessageId, providerThreadId } = verdict;
        const sent = { state: 'sent', at: now, providerMessageId, providerThreadId, ...words } as const;
        if (!(await this.replies.sent(reply, ['wire', 'ambiguous'], sent))) return false;
        return this.#count(reply, { sent: 1 }, now);
      }
      case 'release':
        return this.claims.release(mailbox, reply, { wired: wiredAt !== null, ...verdict });
      case 'retry': {
        const { reason, at } = verdict;
        return this.replies.settle(reply, from, { state: 'retry', reason, dueAt: at, ...words });
      }
      case 'stop_mailbox': {
        const { reason } = verdict;
        const settled = await this.replies.settle(reply, from, { state: 'retry', reason, dueAt: now, ...words });
        return settled && this.#stop(reply, reason);
      }
      case 'ambiguous': {
        const { reason, lookAt } = verdict;
        return this.replies.settle(reply, from, { state: 'ambiguous', reason, lookAt, draftId, ...words });
      }
      case 'bounced':
      case 'failed': {
        const { kind, reason } = verdict;
        if (!(await this.replies.settle(reply, from, { state: 'failed', reason, ...words }))) return false;
        if (kind === 'bounced') await this.#suppress(reply, reason);
        return this.#count(reply, kind === 'bounced' ? { bounced: 1 } : { failed: 1 }, now);
      }
    }
  }

  async #stop(reply: InboxReplyRecord, reason: string): Promise<true> {
    const { workspaceId, mailboxId } = reply;
    await this.turns.stop(workspaceId.toHexString(), mailboxId.toHexString(), { code: 'REFUSED', message: reason });
    await this.emails.mailboxStopped(reply, reason);
    return true;
  }

  /** Nobody is at the address: it is suppressed, for all campaigns, with the outcome. */
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
