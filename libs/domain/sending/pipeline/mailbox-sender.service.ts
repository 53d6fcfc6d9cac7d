import { InboxReplyRecord, type OpenReplies } from '@domain/inbox';
import { type MailboxRecord } from '@domain/mailboxes';
import { type MailboxLease, MailboxLeaseService, type RunMailboxSend } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Types } from 'mongoose';
import { earlier } from '../decide/limits';
import { takeToken } from '../decide/tokens';
import { SendBudgetRepository } from '../quota/send-budget.repository';
import { MailboxReadBatchService } from './batching/mailbox-read-batch.service';
import { EMAILS_PER_RUN, getNextAt } from './mailbox-send-interval';
import { type EngineCampaign, type EngineLead, MailboxSenderCache, type SenderMailbox } from './mailbox-sender-cache';
import { decideSendOutcome, type Verdict } from './outcome-decision';
import { isPollOnly, nextPollAt, type Plan, planNextSend } from './plan-next-send';
import { PlannerDataSourceService } from './planner-data-source.service';
import { type Attempt, ReplySendService } from './replies/reply-send.service';
import { type Claim, SendClaimService, type SupersededPart } from './send-claim.service';
import { SendHandoverService } from './send-handover.service';
import { SendOutcomeService } from './send-outcome.service';
import { SendRecoveryService } from './send-recovery.service';
import { SendSideEffectsService } from './send-side-effects.service';
import { mailboxFacts } from './stored-facts';

/** The delay of the next run after a lost race or a concurrent change of the lead. */
const POLL_AGAIN_MS = 1_000;

/** The end of the run of a deleted mailbox. */
const DELETED_MAILBOX_END = { nextAt: null, lastSentAt: null, isPoll: true } as const;

/** When the run continues: at once, or not before a time. */
type Step = 'again' | { readonly nextAt: Date; readonly isPoll: boolean };

/** The end of a run, for `MailboxLeaseService.complete`. */
interface Ended {
  readonly nextAt: Date | null;
  readonly lastSentAt: Date | null;
  readonly isPoll: boolean;
}

/** The mailbox sender: holds the lease of one mailbox and sends one email after the other. */
@Injectable()
export class MailboxSenderService {
  constructor(
    private readonly leases: MailboxLeaseService,
    private readonly reads: MailboxReadBatchService,
    private readonly budgets: SendBudgetRepository,
    private readonly replies: ReplySendService,
    private readonly clock: ClockPort,
    private readonly recovery: SendRecoveryService,
    private readonly planner: PlannerDataSourceService,
    private readonly claims: SendClaimService,
    private readonly handovers: SendHandoverService,
    private readonly outcomes: SendOutcomeService,
    private readonly sideEffects: SendSideEffectsService,
  ) {}

  /**
   * Acquires the mailbox lease, sends what is due, and schedules the next run. Does nothing if another worker holds the
   * lease, or if the job came too early. After the loss of the lease no further email begins, and the new holder continues.
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
      this.planner.recordNextRun(mailboxId, ended);
    });
  }

  /** Sends until the mailbox has to wait; returns the next run and the last handover. */
  async #sendAll(lease: MailboxLease, signal: AbortSignal): Promise<Ended> {
    const begun = await this.#read(lease);
    if (!begun) return DELETED_MAILBOX_END;
    const { record, open } = begun;
    const facts = mailboxFacts(record, { lease: await this.budgets.current(record, lease) });
    let mailbox: SenderMailbox = await this.recovery.recover({ lease, record, facts }, open);
    const until = (nextAt: Date | null, isPoll = false): Ended => {
      return { nextAt, lastSentAt: mailbox.facts.lastSentAt, isPoll };
    };
    let cache = new MailboxSenderCache(this.clock.now(), open.inFlight ? null : open);
    for (let sent = 0; sent < EMAILS_PER_RUN; sent += 1) {
      const now = this.clock.now();
      if (signal.aborted) return until(now, lease.isPoll);
      if (!cache.isFresh(now)) {
        const fresh = await this.#read(lease);
        if (!fresh) return DELETED_MAILBOX_END;
        const used = await this.budgets.current(fresh.record, { ...mailbox.lease, ...getTokens(mailbox) });
        mailbox = { lease: mailbox.lease, record: fresh.record, facts: mailboxFacts(fresh.record, { lease: used }) };
        cache = cache.next(now, fresh.open);
      }
      const { reply, nextAt: replyAt } = await this.replies.next(mailbox, cache, now);
      if (reply) {
        const [step, after] = await this.#reply(mailbox, reply, signal);
        mailbox = after;
        if (step !== 'again') return until(step.nextAt, step.isPoll);
        continue;
      }
      const source = this.planner.open(mailbox, now, cache);
      const plan = await planNextSend(source);
      if (plan.kind === 'idle') {
        await this.sideEffects.completeExhausted(source.exhausted);
        return until(earlier(nextPollAt(plan, now), replyAt), isPollOnly(plan, now) || isRecovering(mailbox, now));
      }
      const [step, after] = await this.#send(mailbox, plan, cache, signal);
      mailbox = after;
      if (step !== 'again') return until(step.nextAt, step.isPoll);
    }
    return until(this.clock.now());
  }

  async #send(
    mailbox: SenderMailbox,
    { campaign, lead }: Extract<Plan<EngineCampaign, EngineLead>, { kind: 'send' }>,
    cache: MailboxSenderCache,
    signal: AbortSignal,
  ): Promise<[Step, SenderMailbox]> {
    const at = this.clock.now();
    const claim = await this.#claim(mailbox, campaign, lead, at);
    // With its current reads the run would fail for every other lead too; the next run reads again.
    if (claim === 'mailbox') return [this.#pollAgain(), mailbox];
    if (claim === 'lead') {
      const passed = (await this.claims.skipSentSteps(campaign, lead)) || lead.record.mailboxId === null;
      return [passed ? 'again' : this.#pollAgain(), mailbox];
    }
    cache.recordServed(campaign, lead, at, getNextAt(campaign, lead, at));
    this.planner.recordServed(campaign.id, mailbox.lease.mailboxId, { at, isNew: claim.wasNew });
    const handover = await this.handovers.handOver(mailbox, claim, signal);
    // Nothing that can fail comes between the server's reply and the write of the outcome.
    const now = this.clock.now();
    const verdict = decideSendOutcome(handover.outcome, {
      attempt: claim.send.attempt,
      sendId: String(claim.send._id),
      cooldown: mailbox.lease.cooldown,
      now,
    });
    const isWritten = await this.outcomes.write(mailbox, claim, handover, verdict, now);
    await this.sideEffects.apply(mailbox, claim, handover, verdict);
    if (handover.isUnread && isWritten && verdict.kind === 'release' && verdict.cooldownUntil && !verdict.cooldown) {
      cache.setUnreadable(verdict.cooldownUntil);
      return ['again', mailbox];
    }
    return this.#afterEmail(mailbox, { at, lastSentAt: handover.handoverAt ?? at, verdict, isWritten });
  }

  async #reply(mailbox: SenderMailbox, reply: InboxReplyRecord, signal: AbortSignal): Promise<[Step, SenderMailbox]> {
    const attempt = await this.replies.send(mailbox, reply, signal);
    return attempt ? this.#afterEmail(mailbox, attempt) : [this.#pollAgain(), mailbox];
  }

  /** Returns how the run continues after an email, and the mailbox with its budget then. */
  async #afterEmail(
    mailbox: SenderMailbox,
    { at, lastSentAt, verdict, isWritten }: Attempt,
  ): Promise<[Step, SenderMailbox]> {
    const next = isWritten ? getNextStep(verdict, this.#pollAgain()) : { nextAt: this.clock.now(), isPoll: false };
    if (verdict.kind === 'release') return [next, mailbox];
    const spent = { ...mailbox.facts, ...takeToken(mailbox.facts, at), lastSentAt };
    return [next, { record: mailbox.record, ...(await this.#endCooldown(mailbox.lease, spent)) }];
  }

  #pollAgain() {
    return { nextAt: this.clock.in(POLL_AGAIN_MS), isPoll: false };
  }

  /** The server has accepted or refused an email of the mailbox, so its cooldown is over. */
  async #endCooldown(
    lease: MailboxLease,
    facts: SenderMailbox['facts'],
  ): Promise<Pick<SenderMailbox, 'lease' | 'facts'>> {
    if (lease.cooldown === null) return { lease, facts };
    await this.leases.startCooldown(lease, null);
    return { lease: { ...lease, cooldown: null }, facts: { ...facts, cooldown: null } };
  }

  async #claim(
    mailbox: SenderMailbox,
    campaign: EngineCampaign,
    lead: EngineLead,
    at: Date,
  ): Promise<Claim | SupersededPart> {
    try {
      return await this.claims.claim(mailbox, campaign, lead, at);
    } finally {
      await this.planner.dueLeads.settle(lead.record);
    }
  }

  /** Returns the mailbox with its open replies; null when the mailbox or its workspace was deleted. */
  async #read(lease: MailboxLease): Promise<{ record: MailboxRecord; open: OpenReplies } | null> {
    const of = { workspaceId: new Types.ObjectId(lease.workspaceId), mailboxId: new Types.ObjectId(lease.mailboxId) };
    const [record, open] = await Promise.all([this.reads.mailbox(of), this.reads.repliesOf(of)]);
    return record && { record, open };
  }
}

/** Tells whether the next run only retries after a failure of the mailbox. */
function isRecovering({ record, facts }: SenderMailbox, now: Date): boolean {
  return record.status !== 'active' || (facts.cooldown !== null && facts.cooldown.until > now);
}

/** The next plan finds the gap after the email. */
function getNextStep(verdict: Verdict, pollAgain: Exclude<Step, 'again'>): Step {
  switch (verdict.kind) {
    case 'release':
      return { nextAt: verdict.cooldownUntil ?? pollAgain.nextAt, isPoll: true };
    // The next run finds the mailbox stopped.
    case 'stop_mailbox':
      return { ...pollAgain, isPoll: true };
    case 'sent':
    case 'retry':
    case 'bounced':
    case 'failed':
    case 'ambiguous':
      return 'again';
  }
}

function getTokens({ facts }: SenderMailbox) {
  const { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent } = facts;
  return { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent };
}
