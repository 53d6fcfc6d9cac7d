import { MailError, MailSessionPool, type SentLookup } from '@adapters/mail';
import { InboxReplyRecord, InboxReplyRepository, type ReplySent } from '@domain/inbox';
import { MailboxAccountService, MailboxFiguresService, type MailboxRecord, MailboxRepository } from '@domain/mailboxes';
import { MailboxLeaseService, type SendRecord, SendRepository } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { nextResolveAt, UNCONFIRMED_AFTER_MS } from './resolve-schedule';
import { SendResolutionService } from './send-resolution.service';

/** Maximum sends, and maximum replies, that one run resolves. */
const BATCH = 100;

/**
 * Resolves ambiguous emails of campaigns and ambiguous replies. None is sent again without proof that the first
 * handover did not send it.
 */
@Injectable()
export class SendResolverService {
  constructor(
    private readonly sends: SendRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly resolutions: SendResolutionService,
    private readonly clock: ClockPort,
    private readonly replies: InboxReplyRepository,
    private readonly figures: MailboxFiguresService,
    private readonly leases: MailboxLeaseService,
    private readonly transactions: TransactionService,
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
  ) {}

  /**
   * Resolves due sends of campaigns.
   * @param report receives each failure; a failed resolution is retried
   */
  async resolveSends(signal: AbortSignal, report: (error: unknown, sendId: string) => void): Promise<void> {
    for (const send of await this.sends.listDueForResolution(this.clock.now(), BATCH)) {
      if (signal.aborted) return;
      await this.#resolveSend(send).catch((error: unknown) => report(error, send._id.toHexString()));
    }
  }

  /**
   * Resolves due replies.
   * @param report receives each failure; a failed resolution is retried
   */
  async resolveReplies(signal: AbortSignal, report: (error: unknown, replyId: string) => void): Promise<void> {
    if (signal.aborted) return;
    for (const reply of await this.replies.dueForResolution(this.clock.now(), BATCH)) {
      if (signal.aborted) return;
      await this.#resolveReply(reply).catch((error: unknown) => report(error, reply._id.toHexString()));
    }
  }

  async #resolveSend(send: SendRecord): Promise<void> {
    const now = this.clock.now();
    const handoverAt = send.handoverAt ?? send.claimedAt;
    // The next resolution is scheduled first. A crash therefore repeats it, and no other worker resolves the send
    // meanwhile.
    if (!(await this.sends.rescheduleResolution(send, nextResolveAt(handoverAt, now)))) return;
    const mailbox = await this.mailboxes.find(send.workspaceId, send.mailboxId);
    if (send.provenAt) {
      await this.resolutions.sent(send, mailbox);
      return;
    }
    const isOver = now.getTime() - handoverAt.getTime() >= UNCONFIRMED_AFTER_MS;
    const found = await this.#findSent(mailbox, send, isOver);
    if (found.state === 'sent') await this.resolutions.sent(send, mailbox, found);
    else if (found.state === 'not_sent') await this.resolutions.notSent(send, now);
    else if (isOver) await this.resolutions.unconfirmed(send, mailbox);
  }

  async #resolveReply(reply: InboxReplyRecord): Promise<void> {
    const now = this.clock.now();
    const handoverAt = reply.handoverAt ?? reply.dueAt;
    // The next resolution is scheduled first. A crash therefore repeats it, and no other worker resolves the reply
    // meanwhile.
    if (!(await this.replies.rescheduleResolution(reply, nextResolveAt(handoverAt, now)))) return;
    const isOver = now.getTime() - handoverAt.getTime() >= UNCONFIRMED_AFTER_MS;
    if (await this.replies.isAnswered(reply)) {
      return this.#count(reply, { state: 'sent', at: handoverAt, reason: 'The reply was answered' });
    }
    const mailbox = await this.mailboxes.find(reply.workspaceId, reply.mailboxId);
    const found = await this.#findSent(mailbox, reply, isOver);
    if (found.state === 'sent') {
      const { providerMessageId, providerThreadId } = found;
      const reason = 'The reply was found in the sent mail';
      await this.#count(reply, { state: 'sent', at: handoverAt, reason, providerMessageId, providerThreadId });
    } else if (found.state === 'not_sent') {
      await this.#retry(reply, now);
    } else if (isOver) {
      const reason = 'No proof was found in six hours';
      await this.#count(reply, { state: 'sent_unconfirmed', at: handoverAt, reason });
    }
  }

  async #count(reply: InboxReplyRecord, sent: ReplySent): Promise<void> {
    const { workspaceId, mailboxId } = reply;
    await this.transactions.run(async () => {
      if (!(await this.replies.markSent(reply, ['ambiguous'], sent))) return;
      const workspace = { workspaceId: workspaceId.toHexString() };
      await this.figures.countIfExists(workspace, mailboxId.toHexString(), { sent: 1 }, sent.at);
    });
  }

  /** Proof that the reply was not sent: the same message with the same Message-ID is retried. */
  async #retry(reply: InboxReplyRecord, now: Date): Promise<void> {
    const reason = 'The reply was not sent: its draft still exists';
    if (!(await this.replies.settle(reply, 'ambiguous', { state: 'retry', reason, dueAt: now }))) return;
    await this.leases.scheduleNow(reply.workspaceId.toHexString(), [reply.mailboxId.toHexString()]);
  }

  /**
   * Searches the sent mail of the mailbox.
   * @param mailbox null when it was deleted
   * @param isLast the last search: a mailbox that cannot be opened then counts as unknown
   */
  async #findSent(
    mailbox: MailboxRecord | null,
    { messageId, draftId }: { readonly messageId: string; readonly draftId: string | null },
    isLast: boolean,
  ): Promise<SentLookup> {
    if (!mailbox) return { state: 'unknown' };
    try {
      return await this.sessions.use(this.accounts.toAccount(mailbox), (session) =>
        session.findSent(messageId, { draftId }),
      );
    } catch (error) {
      if (isLast || error instanceof MailError) return { state: 'unknown' };
      throw error;
    }
  }
}
