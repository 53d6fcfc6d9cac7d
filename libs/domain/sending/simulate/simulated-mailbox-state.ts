import { type MailboxFacts, type Slot, type StopReason } from '../decide/facts';
import { takeToken } from '../decide/tokens';
import { earlier } from '../decide/limits';
import { rotationWait } from '../pipeline/rotation-wait';
import { type Idle, type LeadKind, type PlannerDataSource } from '../pipeline/plan-next-send';
import { type BinaryHeap } from './binary-heap';
import { type SimulatedShareState, servedBefore } from './simulated-campaign-state';
import { type SimulatedLeadState } from './simulated-lead-state';
import { type SimulatedMailbox, type SimulatedWait } from './simulation-input';

const ONLY_THE_FIRST = 'Only the lead that is due first is taken out of its row';

/** A mailbox in a simulation, with the planner's data. */
export class SimulatedMailboxState implements PlannerDataSource<SimulatedShareState, SimulatedLeadState> {
  readonly id: string;
  /** Its facts, as far as they make a difference. */
  mailbox: MailboxFacts;
  now: Date;
  /** When it has its next turn; null when it has none any more. */
  nextAt: Date | null;
  /** Nothing came of its last turn, and the next one is for a look alone. */
  isPoll = false;
  #facts: MailboxFacts;
  /** One after the other: all leads are at hand. The plan is the same as with many at a time. */
  readonly batch = 1;
  /** Its campaigns, the one served longest ago first. */
  readonly shares: SimulatedShareState[] = [];
  /** Leads that were looked at in vain. */
  passed = 0;
  /** When the plan that found nothing sees something again, and of which state of the campaigns it was. */
  #quiet: { until: Date | null; seen: number } | null = null;
  /** What kept the last plan from sending something of the campaign that is asked about; null while that did not concern it. */
  wait: SimulatedWait | null = null;

  constructor({ id, facts }: SimulatedMailbox, start: Date) {
    this.id = id;
    this.#facts = { ...facts, slots: facts.slots.toSorted((one, other) => one.at.getTime() - other.at.getTime()) };
    this.mailbox = evaluateLeads(this.#facts);
    this.now = start;
    this.nextAt = start;
  }

  /** After all shares are there. */
  sortShares(): void {
    this.shares.sort((one, other) => (servedBefore(one, other) ? -1 : 1));
  }

  campaigns(): Promise<readonly SimulatedShareState[]> {
    return Promise.resolve(this.shares.filter((share) => this.#isActive(share)));
  }

  due(share: SimulatedShareState, kind: LeadKind): Promise<readonly SimulatedLeadState[]> {
    const now = this.now.getTime();
    for (const row of rowsOf(share, kind)) {
      const first = row.first();
      if (first && first.dueAt <= now) return Promise.resolve([first]);
    }
    return Promise.resolve([]);
  }

  nextDue(share: SimulatedShareState, kind: LeadKind): Promise<Date | null> {
    const first = Math.min(...rowsOf(share, kind).map((row) => row.first()?.dueAt ?? Infinity));
    return Promise.resolve(first < Infinity ? new Date(first) : null);
  }

  rotationWait(share: SimulatedShareState): Promise<Date | null> {
    return Promise.resolve(rotationWait(share, share.campaign.rotation.behind(share.taken), this.now));
  }

  /** One mailbox after the other: nobody chooses in the same moment. */
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

  /** The lead is taken from its row, because it is written to. */
  take(lead: SimulatedLeadState, share: SimulatedShareState): void {
    const row = rowWith(lead, [share]);
    row.pop();
    this.#facts = { ...this.#facts, ...takeToken(this.#facts, this.now) };
    this.mailbox = evaluateLeads(this.#facts);
  }

  /** The earlier of a moment and the next start of one of its campaigns, in milliseconds since 1970. */
  orStart(at: Date | null): Date | null {
    const starts = this.shares.flatMap(({ campaign }) => (campaign.startsAt > this.now ? [campaign.startsAt] : []));
    return starts.reduce(earlier, at);
  }

  /** The campaign was served just now: it comes last, among those served at the same moment by its id. */
  served(share: SimulatedShareState): void {
    const { shares } = this;
    let at = shares.indexOf(share);
    for (; at + 1 < shares.length && servedBefore(shares[at + 1] as SimulatedShareState, share); at += 1) {
      shares[at] = shares[at + 1] as SimulatedShareState;
    }
    shares[at] = share;
  }

  /** A plan has found nothing: as long as nothing changes, none finds anything before the given moment. */
  quietUntil(at: Date | null): void {
    this.#quiet = { until: this.orStart(at), seen: this.#version() };
  }

  /** What a plan would find now, if it is known that it finds nothing. */
  get quiet(): Idle | null {
    const known = this.#quiet;
    if (!known || known.seen !== this.#version() || (known.until && known.until <= this.now)) return null;
    return { kind: 'idle', nextAt: known.until, works: this.shares.some((share) => this.#isActive(share)) };
  }

  /** A campaign of which no lead is left is completed. */
  #isActive({ campaign: { startsAt, open } }: SimulatedShareState): boolean {
    return open > 0 && startsAt <= this.now;
  }

  #version(): number {
    return this.shares.reduce((sum, { campaign }) => sum + campaign.version, 0);
  }

  /** Only the first of a row is ever looked at. */
  #takeOut(lead: SimulatedLeadState) {
    this.passed += 1;
    lead.campaign.version += 1;
    const row = rowWith(lead, this.shares);
    row.pop();
    return row;
  }
}

/**
 * The same facts for `decide`, but faster to judge: without the slots of the last 24 hours while all of them together are
 * fewer than what the limit leaves beside warmup's share; else with those that have to end before there is room, and all
 * others as one that ends last. They are the oldest first.
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

/** Behind its own follow-ups come those of mailboxes that have left the campaign, as for the engine. */
function rowsOf(
  { campaign, followUps }: SimulatedShareState,
  kind: LeadKind,
): readonly BinaryHeap<SimulatedLeadState>[] {
  if (kind === 'new') return [campaign.newLeads];
  return campaign.left.length === 0 ? [followUps] : [followUps, ...campaign.left];
}

/** The row that a lead comes first in. */
function rowWith(lead: SimulatedLeadState, shares: readonly SimulatedShareState[]): BinaryHeap<SimulatedLeadState> {
  const own = shares.find(({ followUps }) => followUps.first() === lead)?.followUps;
  const { newLeads, left } = lead.campaign;
  const row = own ?? (newLeads.first() === lead ? newLeads : left.find((former) => former.first() === lead));
  if (!row) throw new Error(ONLY_THE_FIRST);
  return row;
}
