import { InboxReplyRecord, InboxReplyRepository, type ReplySent } from '@domain/inbox';
import { MailboxFiguresService, MailboxRepository } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { nextResolveAt, UNCONFIRMED_AFTER_MS } from './resolve-schedule';
import { SentMessageSearchService } from './sent-message-search.service';

/** Replies that one run looks for. */
const BATCH = 100;

/** Finds out what became of replies whose server gave no answer, as `SendResolverService` does for emails of campaigns. */
@Injectable()
export class ReplyResolverService {
  constructor(
    private readonly replies: InboxReplyRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly search: SentMessageSearchService,
    private readonly figures: MailboxFiguresService,
    private readonly leases: MailboxLeaseService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** @param report receives each failure; the resolution is retried */
  async resolveDue(signal: AbortSignal, report: (error: unknown, replyId: string) => void): Promise<void> {
    for (const reply of await this.replies.dueForResolution(this.clock.now(), BATCH)) {
      if (signal.aborted) return;
      await this.#resolve(reply).catch((error: unknown) => report(error, reply._id.toHexString()));
    }
  }

  async #resolve(reply: InboxReplyRecord): Promise<void> {
    const now = this.clock.now();
    const handoverAt = reply.handoverAt ?? reply.dueAt;
    // The next resolution is scheduled first: a crash repeats it, and no other worker resolves the send meanwhile.
    if (!(await this.replies.rescheduleResolution(reply, nextResolveAt(handoverAt, now)))) return;
    const isOver = now.getTime() - handoverAt.getTime() >= UNCONFIRMED_AFTER_MS;
    if (await this.replies.isAnswered(reply)) {
      return this.#counted(reply, { state: 'sent', at: handoverAt, reason: 'It was answered' });
    }
    const mailbox = await this.mailboxes.find(reply.workspaceId, reply.mailboxId);
    const found = await this.search.find(mailbox, reply, isOver);
    if (found.state === 'sent') {
      const { providerMessageId, providerThreadId } = found;
      const reason = 'It was found afterwards';
      await this.#counted(reply, { state: 'sent', at: handoverAt, reason, providerMessageId, providerThreadId });
    } else if (found.state === 'not_sent') {
      await this.#again(reply, now);
    } else if (isOver) {
      const reason = 'No proof was found in six hours';
      await this.#counted(reply, { state: 'sent_unconfirmed', at: handoverAt, reason });
    }
  }

  async #counted(reply: InboxReplyRecord, sent: ReplySent): Promise<void> {
    const { workspaceId, mailboxId } = reply;
    await this.transactions.run(async () => {
      if (!(await this.replies.markSent(reply, ['ambiguous'], sent))) return;
      const workspace = { workspaceId: workspaceId.toHexString() };
      await this.figures.countIfExists(workspace, mailboxId.toHexString(), { sent: 1 }, sent.at);
    });
  }

  /** Proof that it was not sent: the same message with the same Message-ID is retried. */
  async #again(reply: InboxReplyRecord, now: Date): Promise<void> {
    const reason = 'It was not sent: the draft is still there';
    if (!(await this.replies.settle(reply, 'ambiguous', { state: 'retry', reason, dueAt: now }))) return;
    await this.leases.scheduleNow(reply.workspaceId.toHexString(), [reply.mailboxId.toHexString()]);
  }
}
