import { systemScope } from '@domain/access';
import { InboxReplyRecord, InboxReplyRepository } from '@domain/inbox';
import { MailboxFiguresService } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { type TurnMailbox } from '../engine.world';
import { type MessageHandover } from '../message.handover.service';
import { type Verdict } from '../outcome.decision';
import { patiently } from '../patient.write';
import { bounceOf, SentEmails } from '../sent.emails.service';
import { TurnLost } from '../turn.lost';
import { ReplyClaims } from './reply.claims.service';

/** Writes what became of an attempt to send a reply: the reply, its conversation and the mailbox's figures together. */
@Injectable()
export class ReplyOutcomes {
  constructor(
    private readonly claims: ReplyClaims,
    private readonly replies: InboxReplyRepository,
    private readonly turns: MailboxLeaseService,
    private readonly figures: MailboxFiguresService,
    private readonly emails: SentEmails,
    private readonly suppressions: SuppressionsService,
    private readonly transactions: TransactionService,
  ) {}

  /** @returns false when the turn was lost meanwhile: then whoever has it finds out what became of the reply */
  async write(
    mailbox: TurnMailbox,
    reply: InboxReplyRecord,
    handover: MessageHandover,
    verdict: Verdict,
    now: Date,
  ): Promise<boolean> {
    try {
      return await patiently(() => this.transactions.run(() => this.#write(mailbox, reply, handover, verdict, now)));
    } catch (error) {
      if (error instanceof TurnLost) return false;
      throw error;
    }
  }

  async #write(
    mailbox: TurnMailbox,
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
      ...bounceOf({ email, sendId: null }, reason),
    );
  }

  async #count(
    { workspaceId, mailboxId }: InboxReplyRecord,
    figures: Parameters<MailboxFiguresService['count']>[2],
    at: Date,
  ): Promise<true> {
    const workspace = { workspaceId: workspaceId.toHexString() };
    await this.figures.countUnlessGone(workspace, mailboxId.toHexString(), figures, at);
    return true;
  }
}
