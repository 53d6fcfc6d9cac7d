import { type MailboxRecord } from '@domain/mailboxes';
import { type MailboxLease, MailboxLeaseService, type RunMailboxSend } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { HookRegistry } from '@platform/hooks';
import { Types } from 'mongoose';
import { earlier } from '../decide/limits';
import { mailboxGate } from '../decide/mailbox-gate';
import { withoutShare } from '../decide/warmup-share';
import { SendBudgetRepository } from '../quota/send-budget.repository';
import { MailboxReadBatchService } from './batching/mailbox-read-batch.service';
import { type MailAttempt, MailAttemptService } from './mail-attempt.service';
import { EMAILS_PER_RUN } from './mailbox-send-interval';
import { type AnyMailSource, OUTBOUND_MAIL_SOURCES } from './outbound-mail-source';
import { SendRecoveryService } from './send-recovery.service';
import { type SenderMailbox, SenderRun } from './sender-run';
import { mailboxFacts } from './stored-facts';

/** The delay of the next run after a lost race or a concurrent change of the mail. */
const POLL_AGAIN_MS = 1_000;

/** When the run continues: at once, or not before a time. */
type Step = 'again' | { readonly nextAt: Date | null; readonly isPoll: boolean };

/** The end of a run, for `MailboxLeaseService.complete`. */
interface Ended {
  readonly nextAt: Date | null;
  readonly lastSentAt: Date | null;
  readonly isPoll: boolean;
}

/** The end of the run of a deleted mailbox. */
const DELETED_MAILBOX_END: Ended = { nextAt: null, lastSentAt: null, isPoll: true };

/** How a run for one mail of a source ended. */
export type SingleRunEnd =
  /** Another worker holds or has just acquired the mailbox lease. */
  | { readonly kind: 'busy' }
  /** The mailbox or its workspace was deleted. */
  | { readonly kind: 'gone' }
  /** The mailbox may not send; until when, if known. */
  | { readonly kind: 'wait'; readonly until: Date | null }
  /** There was nothing to send, or the mail was changed concurrently. */
  | { readonly kind: 'nothing' }
  /** The run attempted a mail. */
  | { readonly kind: 'tried'; readonly isReleased: boolean; readonly until: Date | null };

/** The mailbox sender: holds the lease of one mailbox and sends one mail after the other. */
@Injectable()
export class MailboxSenderService {
  constructor(
    private readonly leases: MailboxLeaseService,
    private readonly reads: MailboxReadBatchService,
    private readonly budgets: SendBudgetRepository,
    private readonly hooks: HookRegistry,
    private readonly recovery: SendRecoveryService,
    private readonly attempts: MailAttemptService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Acquires the mailbox lease, sends what is due, and schedules the next run. Does nothing if another worker holds the
   * lease, or if the job came too early. After the loss of the lease no further mail begins, and the new holder continues.
   */
  async run({ mailboxId }: RunMailboxSend, stopping: AbortSignal): Promise<void> {
    await this.leases.runUnderLease(mailboxId, stopping, async (lease, signal) => {
      const { plannedFor, failedRuns } = lease;
      if (!plannedFor || plannedFor > this.clock.now()) {
        await this.leases.complete(lease, plannedFor, { failedRuns });
        return;
      }
      const ended = await this.#sendAll(lease, signal);
      await this.leases.complete(lease, ended.nextAt, ended);
      for (const source of this.hooks.list(OUTBOUND_MAIL_SOURCES)) source.recordNextRun?.(mailboxId, ended);
    });
  }

  /**
   * Sends one mail of a source with a schedule of its own, if the mailbox may send: it must be connected, not paused or
   * stopped, outside of a cooldown, and within its gap and limits. The scheduled run of the mailbox stays scheduled.
   * @throws any error that does not come from the mail server; the next run recovers
   */
  async runOnce(mailbox: RunMailboxSend, source: AnyMailSource, stopping: AbortSignal): Promise<SingleRunEnd> {
    await this.#createLease(mailbox);
    const ended = await this.leases.runUnderLease(mailbox.mailboxId, stopping, async (lease, signal) => {
      const { end, lastSentAt } = await this.#sendOne(lease, source, signal);
      const { plannedFor, failedRuns } = lease;
      const nextAt = end.kind === 'gone' ? null : plannedFor;
      const isReleased = await this.leases.complete(lease, nextAt, { lastSentAt, failedRuns });
      return isReleased || end.kind === 'tried' ? end : null;
    });
    return ended ?? { kind: 'busy' };
  }

  /** Sends until the mailbox has to wait; returns the next run and the last handover. */
  async #sendAll(lease: MailboxLease, signal: AbortSignal): Promise<Ended> {
    const run = await this.#begin(lease, this.hooks.list(OUTBOUND_MAIL_SOURCES));
    if (!run) return DELETED_MAILBOX_END;
    const until = (nextAt: Date | null, isPoll = false): Ended => {
      return { nextAt, lastSentAt: run.mailbox.facts.lastSentAt, isPoll };
    };
    for (let sent = 0; sent < EMAILS_PER_RUN; sent += 1) {
      const now = this.clock.now();
      if (signal.aborted) return until(now, lease.isPoll);
      if (!run.isFresh(now)) {
        const mailbox = await this.#read(run.mailbox.lease, getTokens(run.mailbox));
        if (!mailbox) return DELETED_MAILBOX_END;
        run.renew(mailbox, now);
      }
      const step = await this.#sendNext(run, now, signal);
      if (step !== 'again') return until(step.nextAt, step.isPoll);
    }
    return until(this.clock.now());
  }

  /** Sends the next mail of the first source that has one. */
  async #sendNext(run: SenderRun, now: Date, signal: AbortSignal): Promise<Step> {
    let nextAt: Date | null = null;
    let isPoll = true;
    for (const source of this.hooks.list(OUTBOUND_MAIL_SOURCES)) {
      const offer = await source.next(run, now);
      if (offer.kind === 'mail') return this.#send(run, source, offer.mail, signal);
      nextAt = earlier(nextAt, offer.nextAt);
      isPoll &&= offer.isPoll;
    }
    return { nextAt, isPoll: isPoll || isRecovering(run.mailbox, now) };
  }

  async #send(run: SenderRun, source: AnyMailSource, mail: unknown, signal: AbortSignal): Promise<Step> {
    const attempt = await this.attempts.send(source, run.mailbox, mail, signal);
    // With its current reads the run would fail for every other mail too; the next run reads again.
    if (attempt === 'mailbox') return this.#pollAgain();
    if (attempt === 'mail') return (await source.skip?.(mail)) ? 'again' : this.#pollAgain();
    run.mailbox = attempt.mailbox;
    if (attempt.continues) return 'again';
    return attempt.isWritten ? this.#getNextStep(attempt) : { nextAt: this.clock.now(), isPoll: false };
  }

  async #sendOne(
    lease: MailboxLease,
    source: AnyMailSource,
    signal: AbortSignal,
  ): Promise<{ readonly end: SingleRunEnd; readonly lastSentAt: Date | null }> {
    const withoutHandover = (end: SingleRunEnd) => ({ end, lastSentAt: null });
    const run = await this.#begin(lease, [source]);
    if (!run) return withoutHandover({ kind: 'gone' });
    const now = this.clock.now();
    if (signal.aborted) return withoutHandover({ kind: 'wait', until: now });
    const gate = mailboxGate(now, withoutShare(run.mailbox.facts));
    if (gate.kind === 'wait') return withoutHandover({ kind: 'wait', until: gate.nextEligibleAt });
    const offer = await source.next(run, now);
    const attempt = offer.kind === 'mail' && (await this.attempts.send(source, run.mailbox, offer.mail, signal));
    if (!attempt || typeof attempt === 'string') return withoutHandover({ kind: 'nothing' });
    const { verdict, lastSentAt } = attempt;
    if (verdict.kind !== 'release') return { end: { kind: 'tried', isReleased: false, until: null }, lastSentAt };
    return withoutHandover({ kind: 'tried', isReleased: true, until: verdict.cooldownUntil });
  }

  /** Reads the mailbox and recovers what a crashed worker left; null when the mailbox or its workspace was deleted. */
  async #begin(lease: MailboxLease, sources: readonly AnyMailSource[]): Promise<SenderRun | null> {
    const mailbox = await this.#read(lease);
    if (!mailbox) return null;
    const run = new SenderRun(mailbox, this.clock.now());
    await this.recovery.recover(run, sources);
    return run;
  }

  /** The next plan finds the gap after the mail. */
  #getNextStep({ verdict }: MailAttempt): Step {
    switch (verdict.kind) {
      case 'release':
        return { nextAt: verdict.cooldownUntil ?? this.#pollAgain().nextAt, isPoll: true };
      // The next run finds the mailbox stopped.
      case 'stop_mailbox':
        return { ...this.#pollAgain(), isPoll: true };
      case 'sent':
      case 'retry':
      case 'bounced':
      case 'failed':
      case 'ambiguous':
        return 'again';
    }
  }

  #pollAgain() {
    return { nextAt: this.clock.in(POLL_AGAIN_MS), isPoll: false };
  }

  /** A mailbox without a lease gets its first one; its next scheduled run finds nothing to do and releases it. */
  async #createLease({ workspaceId, mailboxId }: RunMailboxSend): Promise<void> {
    const known = await this.leases.findStates(workspaceId, [mailboxId]);
    if (known.size === 0) await this.leases.schedule(workspaceId, [mailboxId], this.clock.now());
  }

  /** Returns the mailbox with what it has used of its budget; null when the mailbox or its workspace was deleted. */
  async #read(lease: MailboxLease, used: Partial<MailboxLease> = {}): Promise<SenderMailbox | null> {
    const of = { workspaceId: new Types.ObjectId(lease.workspaceId), mailboxId: new Types.ObjectId(lease.mailboxId) };
    const record: MailboxRecord | null = await this.reads.mailbox(of);
    if (!record) return null;
    const budget = await this.budgets.current(record, { ...lease, ...used });
    return { lease, record, facts: mailboxFacts(record, { lease: budget }) };
  }
}

/** Tells whether the next run only retries after a failure of the mailbox. */
function isRecovering({ record, facts }: SenderMailbox, now: Date): boolean {
  return record.status !== 'active' || (facts.cooldown !== null && facts.cooldown.until > now);
}

function getTokens({ facts }: SenderMailbox) {
  const { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent } = facts;
  return { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent };
}
