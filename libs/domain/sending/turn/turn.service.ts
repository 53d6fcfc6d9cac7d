import { MailboxesAtWork, type MailboxRecord } from '@domain/mailboxes';
import { type MailboxTurn, type Turn, Turns } from '@domain/sends';
import { Injectable } from '@nestjs/common';
import { Clock } from '@platform/clock';
import { Log } from '@platform/observability';
import { Types } from 'mongoose';
import { takeToken } from '../decide/tokens';
import { type EngineCampaign, type EngineLead, type TurnMailbox } from './engine.world';
import { mailboxFacts } from './engine.worlds.service';
import { judgeOutcome, type Verdict } from './outcome.decision';
import { TurnParts } from './turn.parts';
import { nextLook, type Plan, planTurn } from './turn.plan';

/** How long a turn is held without a sign of life; renewed three times in that time. */
const LEASE_MS = 60_000;

/** Emails of one turn, where the mailbox's gap lets it send several: then the others have theirs. */
export const TURN_EMAILS = 20;

/** A turn that lost a race, or whose lead was changed under it, looks again then. */
const LOOK_AGAIN_MS = 1_000;

/** Where a turn goes on: at once, or not before a time (null: nothing in sight). */
type Step = 'again' | { readonly nextAt: Date | null };

/** The engine: one mailbox, one turn at a time, one email after the other. */
@Injectable()
export class MailboxTurns {
  constructor(
    private readonly turns: Turns,
    private readonly mailboxes: MailboxesAtWork,
    private readonly parts: TurnParts,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Takes the mailbox's turn, sends what it may, and plans the next turn. Does nothing when somebody else has the turn, or
   * when it came too early. A turn that fails is not ended: its lease runs out and the sweep repeats it.
   */
  async run({ mailboxId }: MailboxTurn, signal: AbortSignal): Promise<void> {
    const turn = await this.turns.take(mailboxId, LEASE_MS);
    if (!turn) return;
    const { nextAtSeen } = turn;
    if (!nextAtSeen || nextAtSeen > this.clock.now()) {
      await this.turns.end(turn, nextAtSeen);
      return;
    }
    const held = this.#held(turn, signal);
    try {
      const nextAt = await this.#work(turn, held.signal);
      await this.turns.end(turn, nextAt);
    } finally {
      held.release();
    }
  }

  /** Sends until the mailbox has to wait; when it can go on. */
  async #work(turn: Turn, signal: AbortSignal): Promise<Date | null> {
    const record = await this.#mailbox(turn);
    if (!record) return null;
    let mailbox: TurnMailbox = await this.parts.recovery.recover({
      turn,
      record,
      facts: mailboxFacts(record, { turn }),
    });
    for (let sent = 0; sent < TURN_EMAILS; sent += 1) {
      const now = this.clock.now();
      if (signal.aborted) return now;
      const world = this.parts.worlds.open(mailbox, now);
      const plan = await planTurn(world);
      if (plan.kind === 'idle') {
        await this.parts.aftermath.exhausted(world.exhausted);
        return nextLook(plan, now);
      }
      const [step, after] = await this.#send(mailbox, plan, signal);
      if (step !== 'again') return step.nextAt;
      const fresh = await this.#mailbox(turn);
      if (!fresh) return null;
      mailbox = { turn: after.turn, record: fresh, facts: { ...mailboxFacts(fresh, after), ...tokensOf(after) } };
    }
    return this.clock.now();
  }

  async #send(
    mailbox: TurnMailbox,
    { campaign, lead }: Extract<Plan<EngineCampaign, EngineLead>, { kind: 'send' }>,
    signal: AbortSignal,
  ): Promise<[Step, TurnMailbox]> {
    const at = this.clock.now();
    const claim = await this.parts.claims.claim(mailbox, campaign, lead, at);
    if (!claim) {
      const passed = await this.parts.passing.passOver(campaign, lead);
      return [passed ? 'again' : { nextAt: this.clock.in(LOOK_AGAIN_MS) }, mailbox];
    }
    const handover = await this.parts.handovers.give(mailbox, claim, signal);
    const now = this.clock.now();
    const verdict = judgeOutcome(handover.outcome, {
      attempt: claim.send.attempt,
      sendId: String(claim.send._id),
      now,
    });
    const kept = await this.parts.outcomes.write(mailbox, claim, handover, verdict, now);
    await this.parts.aftermath.follow(mailbox, claim, handover, verdict);
    const spent = { ...mailbox, facts: { ...mailbox.facts, ...takeToken(mailbox.facts, at) } };
    return [
      kept ? stepAfter(verdict, this.clock.in(LOOK_AGAIN_MS)) : { nextAt: now },
      verdict.kind === 'release' ? mailbox : spent,
    ];
  }

  /** null for a mailbox that is gone, or whose workspace is. */
  #mailbox({ workspaceId, mailboxId }: Turn): Promise<MailboxRecord | null> {
    return this.mailboxes.find(new Types.ObjectId(workspaceId), new Types.ObjectId(mailboxId));
  }

  /** Renews the lease until released; aborts the work when the turn is lost. */
  #held(turn: Turn, signal: AbortSignal) {
    const lost = new AbortController();
    const timer = setInterval(() => {
      this.turns.renew(turn, LEASE_MS).then(
        (held) => held || lost.abort(),
        (error: unknown) => this.log.error('A turn could not be renewed', error, { mailboxId: turn.mailboxId }),
      );
    }, LEASE_MS / 3);
    return { signal: AbortSignal.any([signal, lost.signal]), release: () => clearInterval(timer) };
  }
}

/** After an email the mailbox may have a gap to keep, which the next plan tells. */
function stepAfter(verdict: Verdict, lookAgainAt: Date): Step {
  switch (verdict.kind) {
    case 'release':
      return { nextAt: verdict.restUntil ?? lookAgainAt };
    case 'retry':
      return verdict.restUntil ? { nextAt: verdict.restUntil } : 'again';
    default:
      return 'again';
  }
}

function tokensOf({ facts }: TurnMailbox) {
  const { lastSentAt, day, dayUsed, slots, recent } = facts;
  return { lastSentAt, day, dayUsed, slots, recent };
}
