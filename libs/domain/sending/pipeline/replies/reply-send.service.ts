import { composeMessage } from '@adapters/mail';
import { composeReply, InboxReplyRecord, InboxReplyRepository } from '@domain/inbox';
import { type MailboxRecord, MailboxRepository } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type MailboxTokens } from '../../decide/facts';
import { mailboxGate } from '../../decide/mailbox-gate';
import { returnToken, takeToken } from '../../decide/tokens';
import { withoutShare } from '../../decide/warmup-share';
import { MailboxReadBatchService } from '../batching/mailbox-read-batch.service';
import { MailboxLeaseLostError } from '../mailbox-lease-lost.errors';
import { isLate } from '../mailbox-send-interval';
import { type MailboxSenderCache, type SenderMailbox } from '../mailbox-sender-cache';
import { type MessageHandover, MessageHandoverService, toNotCreated } from '../message-handover.service';
import { decideSendOutcome, type Verdict } from '../outcome-decision';
import { maySend } from '../send-guard.service';
import { SendSideEffectsService } from '../send-side-effects.service';
import { ReplyOutcomeService } from './reply-outcome.service';

/** The next reply of a mailbox. */
export interface NextReply {
  /** The reply to send; null when none is due, or the mailbox may not send. */
  readonly reply: InboxReplyRecord | null;
  /** When the next reply is due; null when no reply waits for a time. */
  readonly nextAt: Date | null;
}

/** An attempted reply, which used the budget, and its outcome. */
export interface Attempt {
  /** When it was claimed. */
  readonly at: Date;
  /** The moment of the handover, from which gaps count. */
  readonly lastSentAt: Date;
  readonly verdict: Verdict;
  /** False when the lease was lost before the outcome was written. */
  readonly isWritten: boolean;
}

/** The reply or the lease was changed concurrently: nothing was written, and the next run reads again. */
class ReplyClaimSupersededError extends Error {}

/**
 * Sends the replies of a mailbox before emails of campaigns, because a person waits for them. The mailbox's own limits apply
 * without a share for warmup; sending windows of campaigns do not.
 */
@Injectable()
export class ReplySendService {
  constructor(
    private readonly reads: MailboxReadBatchService,
    private readonly outcomes: ReplyOutcomeService,
    private readonly sideEffects: SendSideEffectsService,
    private readonly clock: ClockPort,
    private readonly replies: InboxReplyRepository,
    private readonly leases: MailboxLeaseService,
    private readonly suppressions: SuppressionsService,
    private readonly transactions: TransactionService,
    private readonly messages: MessageHandoverService,
    private readonly mailboxes: MailboxRepository,
  ) {}

  async next({ record, facts }: SenderMailbox, cache: MailboxSenderCache, now: Date): Promise<NextReply> {
    const of = { workspaceId: record.workspaceId, mailboxId: record._id };
    for (;;) {
      const { dueAt } = (cache.replies ??= await this.reads.repliesOf(of));
      if (dueAt === null) return { reply: null, nextAt: null };
      if (dueAt > now) return { reply: null, nextAt: dueAt };
      const gate = mailboxGate(now, withoutShare(facts));
      if (gate.kind === 'wait') return { reply: null, nextAt: gate.nextEligibleAt };
      cache.replies = null;
      const reply = await this.findNext(record, now);
      if (reply) return { reply, nextAt: null };
    }
  }

  /** @returns null when the reply was changed concurrently, or the lease was lost */
  async send(mailbox: SenderMailbox, reply: InboxReplyRecord, signal: AbortSignal): Promise<Attempt | null> {
    const at = this.clock.now();
    const claimed = await this.claim(mailbox, reply, at);
    if (!claimed) return null;
    const handover = await this.handOver(mailbox, claimed, signal);
    const now = this.clock.now();
    const { attempt, email } = claimed;
    const verdict = decideSendOutcome(handover.outcome, {
      attempt,
      sendId: String(claimed._id),
      cooldown: mailbox.lease.cooldown,
      now,
    });
    const isWritten = await this.outcomes.write(mailbox, claimed, handover, verdict, now);
    await this.sideEffects.applyToMailbox(mailbox.record, handover.outcome, verdict, { email, sendId: null });
    return { at, lastSentAt: handover.handoverAt ?? at, verdict, isWritten };
  }

  /** Returns the next due reply or null; cancels replies to suppressed addresses. */
  async findNext({ workspaceId, _id }: MailboxRecord, now: Date): Promise<InboxReplyRecord | null> {
    for (;;) {
      const reply = await this.replies.next(workspaceId, _id, now);
      if (!reply || !(await this.suppressions.isSuppressed(workspaceId.toHexString(), reply.email))) return reply;
      await this.replies.cancel(reply, 'The address is on the suppression list');
    }
  }

  /** @returns null when the reply or the lease was changed concurrently */
  async claim({ lease, facts }: SenderMailbox, reply: InboxReplyRecord, at: Date): Promise<InboxReplyRecord | null> {
    try {
      return await this.transactions.run(async () => {
        const claimed = await this.replies.claim(reply, lease.fence, at);
        if (!claimed) throw new ReplyClaimSupersededError();
        if (!(await this.leases.writeBudget(lease, takeToken(facts, at), { unlessStopped: true })))
          throw new ReplyClaimSupersededError();
        return claimed;
      });
    } catch (error) {
      if (error instanceof ReplyClaimSupersededError) return null;
      throw error;
    }
  }

  /**
   * Records a late handover: the mailbox's gap counts from now.
   * @returns false when the lease was lost: no handover may follow
   */
  async recordLateHandover(
    { lease, facts }: SenderMailbox,
    { claimedAt, dueAt }: InboxReplyRecord,
    now: Date,
  ): Promise<boolean> {
    return this.leases.writeBudget(lease, { ...takeToken(facts, claimedAt ?? dueAt), lastSentAt: now });
  }

  /**
   * Releases a claim that a crashed worker left.
   * @returns the mailbox's budget after the release; null when the claim was released concurrently
   * @throws MailboxLeaseLostError
   */
  async releaseLeft({ lease, facts }: SenderMailbox, reply: InboxReplyRecord): Promise<MailboxTokens | null> {
    const tokens = returnToken(facts, reply.claimedAt ?? reply.dueAt);
    return this.transactions.run(async () => {
      if (!(await this.replies.release(reply, 'claimed', 'The worker that had claimed the reply crashed'))) return null;
      if (!(await this.leases.writeBudget(lease, tokens))) throw new MailboxLeaseLostError();
      return tokens;
    });
  }

  /** @throws as `MessageHandoverService.handOver` */
  async handOver(mailbox: SenderMailbox, reply: InboxReplyRecord, signal: AbortSignal): Promise<MessageHandover> {
    const made = await composeMessage(composeReply(reply, this.clock.now())).catch(toNotCreated);
    if ('kind' in made) return { outcome: made, handoverAt: null, draftId: null };
    const mark = async (draftId: string | null) => {
      const now = this.clock.now();
      const isInTime = !isLate(reply.claimedAt ?? now, now);
      if (!isInTime && !(await this.recordLateHandover(mailbox, reply, now))) return null;
      if (!(await this.#allows(reply))) return null;
      const at = this.clock.now();
      return (await this.replies.markSending(reply, { draftId, at })) ? at : null;
    };
    return this.messages.handOver(mailbox.record, made, { mark, threadId: reply.threadId, signal });
  }

  /**
   * A change that forbids the reply is stored before its claim is withheld. So either this check sees the change, or
   * the claim is gone.
   */
  async #allows({ workspaceId, mailboxId, email }: InboxReplyRecord): Promise<boolean> {
    const [mailboxes, suppressed] = await Promise.all([
      this.mailboxes.sendingStates(workspaceId, [mailboxId]),
      this.suppressions.isSuppressed(workspaceId.toHexString(), email),
    ]);
    const mailbox = mailboxes.get(mailboxId.toHexString());
    return !suppressed && mailbox !== undefined && maySend(mailbox, this.clock.now());
  }
}
