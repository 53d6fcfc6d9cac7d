import { type CampaignFacts, type DayCount } from '../decide/facts';
import { counted } from '../decide/tokens';
import { type CampaignAtWork } from '../pipeline/plan-next-send';
import { BinaryHeap } from './binary-heap';
import { ZoneDayCursor } from './zone-day-cursor';
import { SimulatedRotationMember, SimulatedRotation } from './simulated-rotation-member';
import { type CampaignOfLead, dueBefore, type SimulatedLeadState } from './simulated-lead-state';
import { type SimulatedCampaign, type SimulatedShare, type SimulatedStep } from './simulation-input';

const NONE: DayCount = { day: '', used: 0 };

/** The changing state of a simulated campaign. */
export class SimulatedCampaignState implements CampaignOfLead {
  readonly id: string;
  readonly steps: readonly SimulatedStep[];
  readonly startsAt: Date;
  readonly days: ZoneDayCursor;
  /** Leads without a sender. */
  readonly newLeads = new BinaryHeap<SimulatedLeadState>(dueBefore);
  /** Leads of each former mailbox, in the order of those mailboxes. */
  readonly left: readonly BinaryHeap<SimulatedLeadState>[];
  readonly shares: SimulatedShareState[] = [];
  /** Its mailboxes in the rotation. */
  readonly rotation = new SimulatedRotation();
  /** Number of leads with pending steps. */
  open = 0;
  /** Grows with every change that affects its mailboxes. */
  version = 0;
  #used: DayCount;
  #newUsed: DayCount;
  readonly #domains: Map<string, DayCount>;
  #own: ReadonlyMap<string, BinaryHeap<SimulatedLeadState>> | null = null;
  readonly #former: ReadonlyMap<string, BinaryHeap<SimulatedLeadState>>;

  constructor(readonly input: SimulatedCampaign) {
    const { id, steps, startsAt, facts, domains } = input;
    this.id = id;
    this.steps = steps;
    this.startsAt = startsAt;
    this.days = new ZoneDayCursor(facts.schedule);
    this.#former = new Map(input.formerMailboxes.map((id) => [id, new BinaryHeap<SimulatedLeadState>(dueBefore)]));
    this.left = [...this.#former.values()];
    this.#used = facts.usedToday;
    this.#newUsed = facts.newLeadsToday;
    const { day } = facts.usedToday;
    this.#domains = new Map([...domains].map(([domain, used]) => [domain, { day, used }]));
  }

  /**
   * Returns the row of leads with this sender, of new leads for null; undefined for a mailbox that never belonged to
   * the campaign.
   */
  rowOf(mailboxId: string | null): BinaryHeap<SimulatedLeadState> | undefined {
    if (mailboxId === null) return this.newLeads;
    this.#own ??= new Map(this.shares.map(({ input, followUps }) => [input.mailboxId, followUps]));
    return this.#own.get(mailboxId) ?? this.#former.get(mailboxId);
  }

  /** Returns the facts of the campaign for one mailbox. */
  factsFor(nextAt: Date | null): CampaignFacts {
    return { ...this.input.facts, nextAt, usedToday: this.#used, newLeadsToday: this.#newUsed };
  }

  usedOfDomain(domain: string): DayCount {
    return this.#domains.get(domain) ?? NONE;
  }

  /** Counts an email towards the daily limits of the campaign. */
  take({ domain, isNew }: SimulatedLeadState, at: number): void {
    this.version += 1;
    const { dailyLimit, newLeadsPerDay, domainDailyLimit } = this.input.facts;
    if (dailyLimit === null && newLeadsPerDay === null && domainDailyLimit === null) return;
    const day = this.days.dayOf(at);
    this.#used = counted(this.#used, day);
    if (isNew) this.#newUsed = counted(this.#newUsed, day);
    if (domainDailyLimit !== null) this.#domains.set(domain, counted(this.usedOfDomain(domain), day));
  }
}

/** A simulated campaign as used by one of its mailboxes. */
export class SimulatedShareState implements CampaignAtWork {
  /** Leads that have this mailbox as their sender. */
  readonly followUps = new BinaryHeap<SimulatedLeadState>(dueBefore);
  lastServedAt: Date | null;
  nextAt: Date | null;
  private readonly inRotation: SimulatedRotationMember;

  constructor(
    readonly input: SimulatedShare,
    readonly campaign: SimulatedCampaignState,
    mailbox: { readonly nextAt: Date | null; readonly isPoll: boolean },
  ) {
    this.lastServedAt = input.lastServedAt;
    this.nextAt = input.nextAt;
    this.inRotation = new SimulatedRotationMember(input.newLeads, mailbox, this);
    campaign.shares.push(this);
    campaign.rotation.add(this.inRotation);
  }

  /** Number of new leads that the mailbox has taken. */
  get taken(): number {
    return this.inRotation.taken;
  }

  /** Counts one more new lead. */
  took(): void {
    this.campaign.rotation.took(this.inRotation);
  }

  get id(): string {
    return this.campaign.id;
  }

  get followUpsFirst(): boolean {
    return this.campaign.input.followUpsFirst;
  }

  get facts(): CampaignFacts {
    return this.campaign.factsFor(this.nextAt);
  }
}

/** Orders shares by the time they were last served; those never served come first. */
export function servedBefore(one: SimulatedShareState, other: SimulatedShareState): boolean {
  const difference = (one.lastServedAt?.getTime() ?? -Infinity) - (other.lastServedAt?.getTime() ?? -Infinity);
  return difference < 0 || (!(difference > 0) && one.input.id < other.input.id);
}
