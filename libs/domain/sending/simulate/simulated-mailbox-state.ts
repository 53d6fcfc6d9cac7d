import { type MailboxFacts, type Slot, type StopReason } from '../decide/facts';
import { takeToken } from '../decide/tokens';
import { earlier } from '../decide/limits';
import { rotationWait } from '../pipeline/rotation-wait';
import { type Idle, type LeadKind, type PlannerDataSource } from '../pipeline/plan-next-send';
import { type BinaryHeap } from './binary-heap';
import { type SimulatedShareState, servedBefore } from './simulated-share-state';
import { type SimulatedLeadState } from './simulated-lead-state';
import { type SimulatedMailbox, type SimulatedWait } from './simulation-input';

const ONLY_THE_FIRST = 'Only the lead that is due first can be removed from its row';

/** A mailbox in a simulation, with the planner's data. */
export class SimulatedMailboxState implements PlannerDataSource<SimulatedShareState, SimulatedLeadState> {
  readonly id: string;
  /** The facts that affect decisions. */
  mailbox: MailboxFacts;
  now: Date;
  /** When its next run is; null when it has no further run. */
  nextAt: Date | null;
  /** Whether its last run sent nothing and the next one only polls. */
  isPoll = false;
  #facts: MailboxFacts;
  /** One lead at a time, since all leads are in memory. The plan does not depend on the batch size. */
  readonly batch = 1;
  /** Its campaigns, the one served longest ago first. */
  readonly shares: SimulatedShareState[] = [];
  /** Number of leads that the current plan has postponed or stopped. */
  passed = 0;
  /**
   * After a plan that found nothing: when a plan may find something again, and the version of the campaigns that it
   * applies to.
   */
  #quiet: { until: Date | null; version: number } | null = null;
  /** What kept the last plan from sending for the requested campaign; null if the campaign had nothing for it. */
  wait: SimulatedWait | null = null;

  constructor({ id, facts }: SimulatedMailbox, start: Date) {
    this.id = id;
    this.#facts = { ...facts, slots: facts.slots.toSorted((one, other) => one.at.getTime() - other.at.getTime()) };
    this.mailbox = evaluateLeads(this.#facts);
    this.now = start;
    this.nextAt = start;
  }

  /** Called once all shares are added. */
  sortShares(): void {
    this.shares.sort((one, other) => (servedBefore(one, other) ? -1 : 1));
  }

  campaigns(): Promise<readonly SimulatedShareState[]> {
    return Promise.resolve(this.shares.filter((share) => this.#isActive(share)));
  }

  due(share: SimulatedShareState, kind: LeadKind): Promise<readonly SimulatedLeadState[]> {
    const now = this.now.getTime();
    for (const row of listRows(share, kind)) {
      const first = row.first();
      if (first && first.dueAt <= now) return Promise.resolve([first]);
    }
    return Promise.resolve([]);
  }

  nextDue(share: SimulatedShareState, kind: LeadKind): Promise<Date | null> {
    const first = Math.min(...listRows(share, kind).map((row) => row.first()?.dueAt ?? Infinity));
    return Promise.resolve(first < Infinity ? new Date(first) : null);
  }

  rotationWait(share: SimulatedShareState): Promise<Date | null> {
    return Promise.resolve(rotationWait(share, share.campaign.rotation.behind(share.taken), this.now));
  }

  /** Mailboxes plan one after the other, so no reservation fails. */
  reserve(): boolean {
    return true;
  }

  postpone(lead: SimulatedLeadState, until: Date): Promise<void> {
    const row = this.#takeOut(lead);
    lead.dueAt = until.getTime();
    lead.postponed = true;
    row.push(lead);
    return Promise.resolve();
  }

  stop(lead: SimulatedLeadState, _reason: StopReason): Promise<void> {
    this.#takeOut(lead);
    lead.campaign.open -= 1;
    return Promise.resolve();
  }

  /** Removes the lead from its row, because it is claimed. */
  take(lead: SimulatedLeadState, share: SimulatedShareState): void {
    const row = rowWith(lead, [share]);
    row.pop();
    this.#facts = { ...this.#facts, ...takeToken(this.#facts, this.now) };
    this.mailbox = evaluateLeads(this.#facts);
  }

  /** Returns the earlier of a moment and the next start of one of its campaigns, in milliseconds since 1970. */
  orStart(at: Date | null): Date | null {
    const starts = this.shares.flatMap(({ campaign }) => (campaign.startsAt > this.now ? [campaign.startsAt] : []));
    return starts.reduce(earlier, at);
  }

  /** Moves the campaign to the end, after it was served; campaigns served at the same moment are ordered by id. */
  served(share: SimulatedShareState): void {
    const { shares } = this;
    let at = shares.indexOf(share);
    for (; at + 1 < shares.length && servedBefore(shares[at + 1] as SimulatedShareState, share); at += 1) {
      shares[at] = shares[at + 1] as SimulatedShareState;
    }
    shares[at] = share;
  }

  /** Records that a plan found nothing: without a change, no plan finds anything before this moment. */
  quietUntil(at: Date | null): void {
    this.#quiet = { until: this.orStart(at), version: this.#version() };
  }

  /** Returns the result of a plan, if it is known to find nothing. */
  get quiet(): Idle | null {
    const known = this.#quiet;
    if (!known || known.version !== this.#version() || (known.until && known.until <= this.now)) return null;
    return { kind: 'idle', nextAt: known.until, works: this.shares.some((share) => this.#isActive(share)) };
  }

  /** A campaign without remaining leads is completed. */
  #isActive({ campaign: { startsAt, open } }: SimulatedShareState): boolean {
    return open > 0 && startsAt <= this.now;
  }

  #version(): number {
    return this.shares.reduce((sum, { campaign }) => sum + campaign.version, 0);
  }

  /** Only the first lead of a row is ever read. */
  #takeOut(lead: SimulatedLeadState) {
    this.passed += 1;
    lead.campaign.version += 1;
    const row = rowWith(lead, this.shares);
    row.pop();
    return row;
  }
}

/**
 * Returns equivalent facts that `decide` evaluates faster. While all slots of the last 24 hours stay below the limit
 * without warmup's share, they are omitted. Otherwise only the slots that must end first are kept, oldest first; the
 * others become one slot that ends last.
 */
function evaluateLeads(facts: MailboxFacts): MailboxFacts {
  const { slots, dailySendLimit, warmupShare } = facts;
  const room = dailySendLimit - (warmupShare?.mails ?? 0);
  let used = 0;
  for (const slot of slots) used += slot.used;
  if (used < room) return slots.length === 0 ? facts : { ...facts, slots: [] };
  let first = 0;
  let left = used;
  while (first < slots.length && left >= room) left -= (slots[first++] as Slot).used;
  const last = slots.at(-1);
  if (!last || slots.length - first < 2) return facts;
  return { ...facts, slots: [...slots.slice(0, first), { at: last.at, used: left }] };
}

/** The mailbox's own follow-ups come first, then those of mailboxes that have left the campaign, as in the engine. */
function listRows(
  { campaign, followUps }: SimulatedShareState,
  kind: LeadKind,
): readonly BinaryHeap<SimulatedLeadState>[] {
  if (kind === 'new') return [campaign.newLeads];
  return campaign.left.length === 0 ? [followUps] : [followUps, ...campaign.left];
}

/** Returns the row in which a lead comes first. */
function rowWith(lead: SimulatedLeadState, shares: readonly SimulatedShareState[]): BinaryHeap<SimulatedLeadState> {
  const own = shares.find(({ followUps }) => followUps.first() === lead)?.followUps;
  const { newLeads, left } = lead.campaign;
  const row = own ?? (newLeads.first() === lead ? newLeads : left.find((former) => former.first() === lead));
  if (!row) throw new Error(ONLY_THE_FIRST);
  return row;
}
