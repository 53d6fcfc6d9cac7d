import { type MailboxLease, MailboxLeaseService, type RunMailboxSend } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { Types } from 'mongoose';
import { mailboxGate } from '../decide/mailbox-gate';
import { withoutShare } from '../decide/warmup-share';
import { MailboxReadBatchService } from '../pipeline/batching/mailbox-read-batch.service';
import { MailboxLeaseLostError } from '../pipeline/mailbox-lease-lost.errors';
import { keepMailboxLease, LEASE_MS } from '../pipeline/mailbox-lease-renewal';
import { mailboxFacts } from '../pipeline/stored-facts';
import { SendBudgetRepository } from '../quota/send-budget.repository';
import { type OutboundMail, type OutboundMailSource, type OutboundRunEnd } from './outbound-mail-source';
import { OutboundSourceAttemptService } from './outbound-source-attempt.service';

interface Ended {
  readonly end: OutboundRunEnd;
  /** When the mailbox gave a mail away; null when it did not. */
  readonly lastSentAt: Date | null;
}

/**
 * Sends what is none of the engine's own in the turns of mailboxes: whoever holds a mailbox's turn is the only one that sends from
 * it, and all of it is taken from the same budget. What the engine has planned for the mailbox stays planned.
 */
@Injectable()
export class OutboundSourceSenderService {
  constructor(
    private readonly leases: MailboxLeaseService,
    private readonly reads: MailboxReadBatchService,
    private readonly budgets: SendBudgetRepository,
    private readonly attempts: OutboundSourceAttemptService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /**
   * Takes the mailbox's turn and sends one mail, if the mailbox may send: it is connected and not paused, stopped or resting, and
   * gap and limits are kept. A turn that fails is not ended: its lease runs out, and the next one looks after what it left.
   * @throws whatever is not the mail server's doing
   */
  async run<M extends OutboundMail>(
    mailbox: RunMailboxSend,
    work: OutboundMailSource<M>,
    signal: AbortSignal,
  ): Promise<OutboundRunEnd> {
    const lease = await this.#acquire(mailbox);
    if (!lease) return { kind: 'busy' };
    const renewal = keepMailboxLease(this.leases, this.log, lease, signal);
    try {
      const { end, lastSentAt } = await this.#work(lease, work, renewal.signal);
      const isKept = await this.leases.complete(lease, end.kind === 'gone' ? null : lease.plannedFor, { lastSentAt });
      return isKept || end.kind === 'tried' ? end : { kind: 'busy' };
    } catch (error) {
      // Somebody else has it and goes on.
      if (!(error instanceof MailboxLeaseLostError)) throw error;
      return { kind: 'busy' };
    } finally {
      renewal.release();
    }
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

  /** One that was never woken gets its first turn: the engine's next look will find nothing to do, and end it. */
  async #acquire({ workspaceId, mailboxId }: RunMailboxSend): Promise<MailboxLease | null> {
    const lease = await this.leases.acquire(mailboxId, LEASE_MS);
    if (lease) return lease;
    const known = await this.leases.findStates(workspaceId, [mailboxId]);
    if (known.size > 0) return null;
    await this.leases.schedule(workspaceId, [mailboxId], this.clock.now());
    return this.leases.acquire(mailboxId, LEASE_MS);
  }
}

function withoutHandover(end: OutboundRunEnd): Ended {
  return { end, lastSentAt: null };
}
