import { type MailboxRecord } from '@domain/mailboxes';
import { MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { Types } from 'mongoose';
import { returnToken, takeToken } from '../decide/tokens';
import { MailboxReadBatchService } from '../pipeline/batching/mailbox-read-batch.service';
import { MailboxLeaseLostError } from '../pipeline/mailbox-lease-lost.errors';
import { isLate } from '../pipeline/mailbox-send-interval';
import { type SenderMailbox } from '../pipeline/mailbox-sender-cache';
import { type MessageHandover, MessageHandoverService, toNotCreated } from '../pipeline/message-handover.service';
import { decideSendOutcome, type Verdict } from '../pipeline/outcome-decision';
import { retryOnDatabaseUnavailable } from '../pipeline/retry-on-database-unavailable';
import { maySend } from '../pipeline/send-guard.service';
import { SendSideEffectsService } from '../pipeline/send-side-effects.service';
import { SentEmailService } from '../pipeline/sent-email.service';
import {
  type OutboundMail,
  type OutboundMailOutcome,
  type OutboundMailSource,
  WARMUP_METRIC_SOURCE,
} from './outbound-mail-source';

/** The mail was changed concurrently: nothing was written. */
class MailClaimSupersededError extends Error {}

/** A mail and its attempted handover. */
export interface AttemptedMail {
  readonly verdict: Verdict;
  /** The start of the handover; the mailbox's gap counts from it. */
  readonly lastSentAt: Date;
}

interface Attempted {
  readonly handover: MessageHandover;
  readonly verdict: Verdict;
  /** The moment of the claim. */
  readonly at: Date;
  /** The moment of the server's reply. */
  readonly now: Date;
}

/** Sends one mail of an outbound source: claims it with its token, hands it over and writes the outcome. */
@Injectable()
export class OutboundSourceAttemptService {
  constructor(
    private readonly leases: MailboxLeaseService,
    private readonly reads: MailboxReadBatchService,
    private readonly handovers: MessageHandoverService,
    private readonly sideEffects: SendSideEffectsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly emails: SentEmailService,
  ) {}

  /**
   * Releases mails that a crashed worker had claimed.
   * @returns the mailbox with its budget after the release
   */
  async recover<M extends OutboundMail>(mailbox: SenderMailbox, work: OutboundMailSource<M>): Promise<SenderMailbox> {
    let found = mailbox;
    for (const mail of await work.listLeft(mailbox.record)) found = await this.#releaseLeft(found, mail, work);
    return found;
  }

  /** @returns null when the mail was changed concurrently, or the lease was lost */
  async send<M extends OutboundMail>(
    mailbox: SenderMailbox,
    mail: M,
    work: OutboundMailSource<M>,
    signal: AbortSignal,
  ): Promise<AttemptedMail | null> {
    const at = this.clock.now();
    const claimed = await this.#claim(mailbox, mail, work, at);
    if (!claimed) return null;
    const handover = await this.#handOver(mailbox, claimed, work, { at, signal });
    // Nothing that can fail comes between the server's reply and the write of the outcome.
    const now = this.clock.now();
    const { lease, record } = mailbox;
    const { id: sendId, attempt } = claimed;
    const verdict = decideSendOutcome(handover.outcome, { attempt, sendId, cooldown: lease.cooldown, now });
    await this.writeOutcome(mailbox, claimed, work, { handover, verdict, at, now });
    await this.sideEffects.applyToConnection(record, handover.outcome, verdict);
    // The server has accepted or refused a mail of the mailbox, so its cooldown is over.
    if (verdict.kind !== 'release' && lease.cooldown !== null) await this.leases.startCooldown(lease, null);
    return { verdict, lastSentAt: handover.handoverAt ?? at };
  }

  /** Writes nothing if the lease was lost: its new holder settles the remaining mails. */
  async writeOutcome<M extends OutboundMail>(
    mailbox: SenderMailbox,
    mail: M,
    work: OutboundMailSource<M>,
    attempted: Attempted,
  ): Promise<void> {
    try {
      await retryOnDatabaseUnavailable(() =>
        this.transactions.run(() => this.#writeOutcome(mailbox, mail, work, attempted)),
      );
    } catch (error) {
      if (!(error instanceof MailboxLeaseLostError)) throw error;
    }
  }

  async #releaseLeft<M extends OutboundMail>(
    mailbox: SenderMailbox,
    mail: M,
    work: OutboundMailSource<M>,
  ): Promise<SenderMailbox> {
    const { lease, facts } = mailbox;
    const tokens = mail.claimedAt ? returnToken(facts, mail.claimedAt, WARMUP_METRIC_SOURCE) : null;
    const isReleased = await this.transactions.run(async () => {
      if (!(await work.release(mail, 'The worker that had claimed the mail crashed'))) return false;
      if (tokens && !(await this.leases.writeBudget(lease, tokens))) throw new MailboxLeaseLostError();
      return true;
    });
    return isReleased ? { ...mailbox, facts: { ...facts, ...tokens } } : mailbox;
  }

  async #claim<M extends OutboundMail>(
    { lease, facts }: SenderMailbox,
    mail: M,
    work: OutboundMailSource<M>,
    at: Date,
  ): Promise<M | null> {
    try {
      return await this.transactions.run(async () => {
        const claimed = await work.claim(mail, lease.fence, at);
        if (!claimed) throw new MailClaimSupersededError();
        if (
          !(await this.leases.writeBudget(lease, takeToken(facts, at, WARMUP_METRIC_SOURCE), { unlessStopped: true }))
        )
          throw new MailClaimSupersededError();
        return claimed;
      });
    } catch (error) {
      if (error instanceof MailClaimSupersededError) return null;
      throw error;
    }
  }

  async #handOver<M extends OutboundMail>(
    { lease, record, facts }: SenderMailbox,
    mail: M,
    work: OutboundMailSource<M>,
    { at, signal }: { at: Date; signal: AbortSignal },
  ): Promise<MessageHandover> {
    const made = await work.message(record, mail).catch(toNotCreated);
    if ('kind' in made) return { outcome: made, handoverAt: null, draftId: null };
    const mark = async () => {
      const now = this.clock.now();
      if (isLate(at, now)) {
        const isLeased = await this.leases.writeBudget(lease, {
          ...takeToken(facts, at, WARMUP_METRIC_SOURCE),
          lastSentAt: now,
        });
        if (!isLeased) return null;
      }
      if (!(await this.#maySend(record))) return null;
      const handoverAt = this.clock.now();
      return (await work.markSending(mail, handoverAt)) ? handoverAt : null;
    };
    return this.handovers.handOver(record, made, { mark, signal });
  }

  /**
   * A change that forbids the mail is stored before its claim is withheld. So either this check sees the change, or the
   * claim is gone.
   */
  async #maySend({ workspaceId, _id: mailboxId }: MailboxRecord): Promise<boolean> {
    const mailbox = await this.reads.mailbox({ workspaceId, mailboxId });
    return mailbox !== null && maySend(mailbox, this.clock.now());
  }

  async #writeOutcome<M extends OutboundMail>(
    mailbox: SenderMailbox,
    mail: M,
    work: OutboundMailSource<M>,
    { handover, verdict, at, now }: Attempted,
  ): Promise<void> {
    if (verdict.kind === 'release') {
      await work.release(mail, verdict.reason);
      return this.#returnToken(mailbox, verdict, at);
    }
    const settled = await work.settle(mail, toMailOutcome(verdict, handover), handover.handoverAt ?? now);
    if (settled && verdict.kind === 'stop_mailbox') await this.#stopMailbox(mailbox, mail, verdict.reason);
  }

  /** Nothing was sent: the budget is restored to its value before the claim. */
  async #returnToken(
    { lease, facts }: SenderMailbox,
    { cooldown }: Extract<Verdict, { kind: 'release' }>,
    at: Date,
  ): Promise<void> {
    if (cooldown && !(await this.leases.startCooldown(lease, cooldown))) throw new MailboxLeaseLostError();
    const tokens = returnToken({ ...facts, ...takeToken(facts, at, WARMUP_METRIC_SOURCE) }, at, WARMUP_METRIC_SOURCE);
    if (!(await this.leases.writeBudget(lease, tokens))) throw new MailboxLeaseLostError();
  }

  async #stopMailbox({ lease, record }: SenderMailbox, { id, attempt }: OutboundMail, reason: string): Promise<void> {
    await this.leases.stop(lease.workspaceId, lease.mailboxId, { code: 'REFUSED', message: reason });
    const { workspaceId, _id: mailboxId } = record;
    await this.emails.recordMailboxStopped({ _id: new Types.ObjectId(id), workspaceId, mailboxId, attempt }, reason);
  }
}

function toMailOutcome(
  verdict: Exclude<Verdict, { kind: 'release' }>,
  { outcome }: MessageHandover,
): OutboundMailOutcome {
  switch (verdict.kind) {
    case 'sent':
      return { kind: 'sent' };
    case 'retry':
      return { kind: 'deferred', reason: verdict.reason, dueAt: verdict.at };
    case 'stop_mailbox':
      return { kind: 'blocked', reason: verdict.reason };
    case 'bounced':
      return { kind: 'refused', reason: verdict.reason, lastReply: getReply(outcome) };
    case 'failed':
      return outcome.kind === 'permanent'
        ? { kind: 'refused', reason: verdict.reason, lastReply: getReply(outcome) }
        : { kind: 'failed', reason: verdict.reason };
    case 'ambiguous':
      return { kind: 'ambiguous', reason: verdict.reason };
  }
}

function getReply(outcome: MessageHandover['outcome']) {
  return 'lastReply' in outcome ? outcome.lastReply : null;
}
