import { type MailboxLease, MailboxLeaseService, type RunMailboxSend } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Types } from 'mongoose';
import { mailboxGate } from '../decide/mailbox-gate';
import { withoutShare } from '../decide/warmup-share';
import { MailboxReadBatchService } from '../pipeline/batching/mailbox-read-batch.service';
import { mailboxFacts } from '../pipeline/stored-facts';
import { SendBudgetRepository } from '../quota/send-budget.repository';
import { type OutboundMail, type OutboundMailSource, type OutboundRunEnd } from './outbound-mail-source';
import { OutboundSourceAttemptService } from './outbound-source-attempt.service';

interface Ended {
  readonly end: OutboundRunEnd;
  /** The start of the handover; null if there was none. */
  readonly lastSentAt: Date | null;
}

/**
 * Sends mail of outbound sources. Only the holder of a mailbox lease sends from the mailbox, and all mail uses the same
 * budget. A run that the campaigns have scheduled stays scheduled.
 */
@Injectable()
export class OutboundSourceSenderService {
  constructor(
    private readonly leases: MailboxLeaseService,
    private readonly reads: MailboxReadBatchService,
    private readonly budgets: SendBudgetRepository,
    private readonly attempts: OutboundSourceAttemptService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Acquires the mailbox lease and sends one mail, if the mailbox may send. It must be connected, not paused or
   * stopped, outside of a cooldown, and within its gap and limits. After a failed run, the next run of the mailbox recovers.
   * @throws any error that does not come from the mail server
   */
  async run<M extends OutboundMail>(
    mailbox: RunMailboxSend,
    work: OutboundMailSource<M>,
    stopping: AbortSignal,
  ): Promise<OutboundRunEnd> {
    await this.#createLease(mailbox);
    const ended = await this.leases.runUnderLease(mailbox.mailboxId, stopping, async (lease, signal) => {
      const { end, lastSentAt } = await this.#work(lease, work, signal);
      const { plannedFor, failedRuns } = lease;
      const nextAt = end.kind === 'gone' ? null : plannedFor;
      const isReleased = await this.leases.complete(lease, nextAt, { lastSentAt, failedRuns });
      return isReleased || end.kind === 'tried' ? end : null;
    });
    return ended ?? { kind: 'busy' };
  }

  async #work<M extends OutboundMail>(
    lease: MailboxLease,
    work: OutboundMailSource<M>,
    signal: AbortSignal,
  ): Promise<Ended> {
    const of = { workspaceId: new Types.ObjectId(lease.workspaceId), mailboxId: new Types.ObjectId(lease.mailboxId) };
    const record = await this.reads.mailbox(of);
    if (!record) return withoutHandover({ kind: 'gone' });
    const facts = mailboxFacts(record, { lease: await this.budgets.current(record, lease) });
    const mailbox = await this.attempts.recover({ lease, record, facts }, work);
    const now = this.clock.now();
    if (signal.aborted) return withoutHandover({ kind: 'wait', until: now });
    const gate = mailboxGate(now, withoutShare(mailbox.facts));
    if (gate.kind === 'wait') return withoutHandover({ kind: 'wait', until: gate.nextEligibleAt });
    const mail = await work.next(record, now);
    const tried = mail && (await this.attempts.send(mailbox, mail, work, signal));
    if (!tried) return withoutHandover({ kind: 'nothing' });
    const { verdict, lastSentAt } = tried;
    const isReleased = verdict.kind === 'release';
    const until = isReleased ? verdict.cooldownUntil : null;
    return { end: { kind: 'tried', isReleased, until }, lastSentAt: isReleased ? null : lastSentAt };
  }

  /** A mailbox without a lease gets its first one; the next run for campaigns finds nothing to do and releases it. */
  async #createLease({ workspaceId, mailboxId }: RunMailboxSend): Promise<void> {
    const known = await this.leases.findStates(workspaceId, [mailboxId]);
    if (known.size === 0) await this.leases.schedule(workspaceId, [mailboxId], this.clock.now());
  }
}

function withoutHandover(end: OutboundRunEnd): Ended {
  return { end, lastSentAt: null };
}
