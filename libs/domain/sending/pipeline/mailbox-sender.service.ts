import { InboxReplyRecord, type OpenReplies } from '@domain/inbox';
import { type MailboxRecord } from '@domain/mailboxes';
import { type RunMailboxSend, type MailboxLease, MailboxLeaseService } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { Types } from 'mongoose';
import { takeToken } from '../decide/tokens';
import { earlier } from '../decide/limits';
import { type Claim, type LostClaim } from './send-claim.service';
import { MailboxLeaseLostError } from './mailbox-lease-lost.errors';
import { SendBudgetRepository } from '../quota/send-budget.repository';
import { type EngineCampaign, type EngineLead, type SenderMailbox, MailboxSenderCache } from './mailbox-sender-cache';
import { MailboxReadBatchService } from './batching/mailbox-read-batch.service';
import { mailboxFacts } from './stored-facts';
import { decideOutcome, type Verdict } from './outcome-decision';
import { getNextAt, EMAILS_PER_RUN } from './mailbox-send-pace';
import { keepMailboxLease, LEASE_MS } from './mailbox-lease-renewal';
import { MailboxSenderDependencies } from './mailbox-sender-dependencies';
import { type Attempt, ReplySendService } from './replies/reply-send.service';
import { isPollOnly, nextPollAt, type Plan, planNextSend } from './plan-next-send';

/** A turn that lost a race, or whose lead was changed under it, looks again then. */
const LOOK_AGAIN_MS = 1_000;

/** The mailbox was deleted. */
const GONE = { nextAt: null, lastSentAt: null, isTrial: true } as const;

/** Where a turn goes on: at once, or not before a time. */
type Step = 'again' | { readonly nextAt: Date; readonly isTrial: boolean };

/** How a turn has ended, as `MailboxLeaseService.end` wants it. */
interface Ended {
  readonly nextAt: Date | null;
  readonly lastSentAt: Date | null;
  readonly isTrial: boolean;
}

/** The engine: one mailbox, one turn at a time, one email after the other. */
@Injectable()
export class MailboxSenderService {
  constructor(
    private readonly turns: MailboxLeaseService,
    private readonly reads: MailboxReadBatchService,
    private readonly budgets: SendBudgetRepository,
    private readonly parts: MailboxSenderDependencies,
    private readonly replies: ReplySendService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /**
   * Takes the mailbox's turn, sends what it may, and plans the next turn. Does nothing when somebody else has the turn, or
   * when it came too early. A turn that fails is not ended: its lease runs out and the sweep repeats it.
   */
  async run({ mailboxId }: RunMailboxSend, signal: AbortSignal): Promise<void> {
    const turn = await this.turns.acquire(mailboxId, LEASE_MS);
    if (!turn) return;
    const { plannedFor } = turn;
    if (!plannedFor || plannedFor > this.clock.now()) {
      await this.turns.complete(turn, plannedFor);
      return;
    }
    const held = keepMailboxLease(this.turns, this.log, turn, signal);
    try {
      const ended = await this.#work(turn, held.signal);
      await this.turns.complete(turn, ended.nextAt, ended);
      this.parts.worlds.rotation.ended(mailboxId, ended);
    } catch (error) {
      // Somebody else has it and goes on.
      if (!(error instanceof MailboxLeaseLostError)) throw error;
    } finally {
      held.release();
    }
  }

  /** Sends until the mailbox has to wait; when it can go on, and when it gave its last email away. */
  async #work(turn: MailboxLease, signal: AbortSignal): Promise<Ended> {
    const begun = await this.#look(turn);
    if (!begun) return GONE;
    const { record, open } = begun;
    const facts = mailboxFacts(record, { turn: await this.budgets.current(record, turn) });
    let mailbox: SenderMailbox = await this.parts.recovery.recover({ turn, record, facts }, open);
    const until = (nextAt: Date | null, isTrial = false): Ended => {
      return { nextAt, lastSentAt: mailbox.facts.lastSentAt, isTrial };
    };
    let memory = new MailboxSenderCache(this.clock.now(), open.inFlight ? null : open);
    for (let sent = 0; sent < EMAILS_PER_RUN; sent += 1) {
      const now = this.clock.now();
      if (signal.aborted) return until(now, turn.isTrial);
      if (!memory.isFresh(now)) {
        const fresh = await this.#look(turn);
        if (!fresh) return GONE;
        const used = await this.budgets.current(fresh.record, { ...mailbox.turn, ...tokensOf(mailbox) });
        mailbox = { turn: mailbox.turn, record: fresh.record, facts: mailboxFacts(fresh.record, { turn: used }) };
        memory = memory.next(now, fresh.open);
      }
      const { reply, nextAt: replyAt } = await this.replies.next(mailbox, memory, now);
      if (reply) {
        const [step, after] = await this.#reply(mailbox, reply, signal);
        mailbox = after;
        if (step !== 'again') return until(step.nextAt, step.isTrial);
        continue;
      }
      const world = this.parts.worlds.open(mailbox, now, memory);
      const plan = await planNextSend(world);
      if (plan.kind === 'idle') {
        await this.parts.aftermath.exhausted(world.exhausted);
        return until(earlier(nextPollAt(plan, now), replyAt), isPollOnly(plan, now) || isOut(mailbox, now));
      }
      const [step, after] = await this.#send(mailbox, plan, memory, signal);
      mailbox = after;
      if (step !== 'again') return until(step.nextAt, step.isTrial);
    }
    return until(this.clock.now());
  }

  async #send(
    mailbox: SenderMailbox,
    { campaign, lead }: Extract<Plan<EngineCampaign, EngineLead>, { kind: 'send' }>,
    memory: MailboxSenderCache,
    signal: AbortSignal,
  ): Promise<[Step, SenderMailbox]> {
    const at = this.clock.now();
    const claim = await this.#claim(mailbox, campaign, lead, at);
    // With what it knows it would try every other lead in vain: it looks again, with what is true now.
    if (claim === 'mailbox') return [this.#lookAgain(), mailbox];
    if (claim === 'lead') {
      const passed = (await this.parts.passing.skipSentSteps(campaign, lead)) || lead.record.mailboxId === null;
      return [passed ? 'again' : this.#lookAgain(), mailbox];
    }
    memory.recordServed(campaign, lead, at, getNextAt(campaign, lead, at));
    this.parts.worlds.rotation.took(campaign.id, mailbox.turn.mailboxId, { at, isNew: claim.wasNew });
    const handover = await this.parts.handovers.give(mailbox, claim, signal);
    // From the answer of the server to the outcome nothing comes in between that could fail.
    const now = this.clock.now();
    const verdict = decideOutcome(handover.outcome, {
      attempt: claim.send.attempt,
      sendId: String(claim.send._id),
      rest: mailbox.turn.cooldown,
      now,
    });
    const kept = await this.parts.outcomes.write(mailbox, claim, handover, verdict, now);
    await this.parts.aftermath.follow(mailbox, claim, handover, verdict);
    if (handover.isUnread && kept && verdict.kind === 'release' && verdict.restUntil && !verdict.rest) {
      memory.unread(verdict.restUntil);
      return ['again', mailbox];
    }
    return this.#after(mailbox, { at, lastSentAt: handover.wiredAt ?? at, verdict, kept });
  }

  async #reply(mailbox: SenderMailbox, reply: InboxReplyRecord, signal: AbortSignal): Promise<[Step, SenderMailbox]> {
    const attempt = await this.replies.send(mailbox, reply, signal);
    return attempt ? this.#after(mailbox, attempt) : [this.#lookAgain(), mailbox];
  }

  /** How the turn goes on after an email, and what the mailbox has used then. */
  async #after(mailbox: SenderMailbox, { at, lastSentAt, verdict, kept }: Attempt): Promise<[Step, SenderMailbox]> {
    const next = kept ? stepAfter(verdict, this.#lookAgain()) : { nextAt: this.clock.now(), isTrial: false };
    if (verdict.kind === 'release') return [next, mailbox];
    const spent = { ...mailbox.facts, ...takeToken(mailbox.facts, at), lastSentAt };
    return [next, { record: mailbox.record, ...(await this.#rested(mailbox.turn, spent)) }];
  }

  #lookAgain() {
    return { nextAt: this.clock.in(LOOK_AGAIN_MS), isTrial: false };
  }

  /** The server has dealt with an email of the mailbox: whatever it had against the mailbox itself is over. */
  async #rested(turn: MailboxLease, facts: SenderMailbox['facts']): Promise<Pick<SenderMailbox, 'turn' | 'facts'>> {
    if (turn.cooldown === null) return { turn, facts };
    await this.turns.startCooldown(turn, null);
    return { turn: { ...turn, cooldown: null }, facts: { ...facts, rest: null } };
  }

  async #claim(
    mailbox: SenderMailbox,
    campaign: EngineCampaign,
    lead: EngineLead,
    at: Date,
  ): Promise<Claim | LostClaim> {
    try {
      return await this.parts.claims.claim(mailbox, campaign, lead, at);
    } finally {
      await this.parts.worlds.desk.settle(lead.record);
    }
  }

  /** The mailbox with the replies that wait for it; null for one that is gone, or whose workspace is. */
  async #look(turn: MailboxLease): Promise<{ record: MailboxRecord; open: OpenReplies } | null> {
    const of = { workspaceId: new Types.ObjectId(turn.workspaceId), mailboxId: new Types.ObjectId(turn.mailboxId) };
    const [record, open] = await Promise.all([this.reads.mailbox(of), this.reads.repliesOf(of)]);
    return record && { record, open };
  }
}

/** Whether what the mailbox does next is to try again what went wrong. */
function isOut({ record, facts }: SenderMailbox, now: Date): boolean {
  return record.status !== 'active' || (facts.rest !== null && facts.rest.until > now);
}

/** After an email the mailbox may have a gap to keep, which the next plan tells. */
function stepAfter(verdict: Verdict, lookAgain: Exclude<Step, 'again'>): Step {
  switch (verdict.kind) {
    case 'release':
      return { nextAt: verdict.restUntil ?? lookAgain.nextAt, isTrial: true };
    // The next turn knows that it is stopped.
    case 'stop_mailbox':
      return { ...lookAgain, isTrial: true };
    case 'sent':
    case 'retry':
    case 'bounced':
    case 'failed':
    case 'ambiguous':
      return 'again';
  }
}

function tokensOf({ facts }: SenderMailbox) {
  const { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent } = facts;
  return { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent };
}
