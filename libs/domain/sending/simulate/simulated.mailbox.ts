import { type MailboxFacts, type StopReason } from '../decide/facts';
import { takeToken } from '../decide/tokens';
import { rotationWait } from '../turn/rotation.wait';
import { earlier, type Idle, type LeadKind, type TurnWorld } from '../turn/turn.plan';
import { type ShareState, servedBefore } from './simulated.campaign';
import { type LeadState } from './simulated.lead';
import { type SimulatedMailbox } from './simulation.input';

const ONLY_THE_FIRST = 'Only the lead that is due first is taken out of its row';

/** A mailbox in the course of a simulation, and what it sees in its turn. */
export class MailboxState implements TurnWorld<ShareState, LeadState> {
  readonly id: string;
  /** Its facts, as far as they make a difference. */
  mailbox: MailboxFacts;
  now: Date;
  /** When it has its next turn; null when it has none any more. */
  nextAt: Date | null;
  #facts: MailboxFacts;
  /** One after the other: all leads are at hand. The plan is the same as with many at a time. */
  readonly batch = 1;
  /** Its campaigns, the one served longest ago first. */
  readonly shares: ShareState[] = [];
  /** Leads that were looked at in vain. */
  passed = 0;
  /** When the plan that found nothing sees something again, and of which state of the campaigns it was. */
  #quiet: { until: Date | null; seen: number } | null = null;

  constructor({ id, facts }: SimulatedMailbox, start: Date) {
    this.id = id;
    this.#facts = facts;
    this.mailbox = judged(facts);
    this.now = start;
    this.nextAt = start;
  }

  /** After all shares are there. */
  sortShares(): void {
    this.shares.sort((one, other) => (servedBefore(one, other) ? -1 : 1));
  }

  campaigns(): Promise<readonly ShareState[]> {
    return Promise.resolve(this.shares.filter((share) => this.#isActive(share)));
  }

  due(share: ShareState, kind: LeadKind): Promise<readonly LeadState[]> {
    const first = rowOf(share, kind).first();
    return Promise.resolve(first && first.dueAt <= this.now.getTime() ? [first] : []);
  }

  nextDue(share: ShareState, kind: LeadKind): Promise<Date | null> {
    const first = rowOf(share, kind).first();
    return Promise.resolve(first ? new Date(first.dueAt) : null);
  }

  rotationWait(share: ShareState): Promise<Date | null> {
    // It is among them itself: nobody is behind itself.
    return Promise.resolve(rotationWait(share.taken, share.campaign.rotation, this.now));
  }

  /** One mailbox after the other: nobody chooses in the same moment. */
  reserve(): boolean {
    return true;
  }

  postpone(lead: LeadState, until: Date): Promise<void> {
    const row = this.#takeOut(lead);
    lead.dueAt = until.getTime();
    lead.postponed = true;
    row.push(lead);
    return Promise.resolve();
  }

  stop(lead: LeadState, _reason: StopReason): Promise<void> {
    this.#takeOut(lead);
    lead.campaign.open -= 1;
    return Promise.resolve();
  }

  /** The lead is taken from its row, because it is written to. */
  take(lead: LeadState, share: ShareState): void {
    const row = share.followUps.first() === lead ? share.followUps : share.campaign.newLeads;
    if (row.first() !== lead) throw new Error(ONLY_THE_FIRST);
    row.pop();
    this.#facts = { ...this.#facts, ...takeToken(this.#facts, this.now) };
    this.mailbox = judged(this.#facts);
  }

  /** The earlier of a moment and the next start of one of its campaigns, in milliseconds since 1970. */
  orStart(at: Date | null): Date | null {
    const starts = this.shares.flatMap(({ campaign }) => (campaign.startsAt > this.now ? [campaign.startsAt] : []));
    return starts.reduce(earlier, at);
  }

  /** The campaign was served just now: it comes last, among those served at the same moment by its id. */
  served(share: ShareState): void {
    const { shares } = this;
    let at = shares.indexOf(share);
    for (; at + 1 < shares.length && servedBefore(shares[at + 1] as ShareState, share); at += 1) {
      shares[at] = shares[at + 1] as ShareState;
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
  #isActive({ campaign: { startsAt, open } }: ShareState): boolean {
    return open > 0 && startsAt <= this.now;
  }

  #version(): number {
    return this.shares.reduce((sum, { campaign }) => sum + campaign.version, 0);
  }

  /** Only the first of a row is ever looked at. */
  #takeOut(lead: LeadState) {
    this.passed += 1;
    lead.campaign.version += 1;
    const row =
      this.shares.map(({ followUps }) => followUps).find((own) => own.first() === lead) ?? lead.campaign.newLeads;
    if (row.first() !== lead) throw new Error(ONLY_THE_FIRST);
    row.pop();
    return row;
  }
}

/**
 * The same facts for `decide`, but faster to judge: without the slots of the last 24 hours while all of them together are
 * fewer than the limit.
 */
function judged(facts: MailboxFacts): MailboxFacts {
  const used = facts.slots.reduce((sum, slot) => sum + slot.used, 0);
  return used < facts.dailySendLimit ? { ...facts, slots: [] } : facts;
}

function rowOf(share: ShareState, kind: LeadKind) {
  return kind === 'new' ? share.campaign.newLeads : share.followUps;
}
