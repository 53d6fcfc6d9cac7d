import { type CampaignFacts, type DayCount } from '../decide/facts';
import { counted } from '../decide/tokens';
import { type CampaignAtWork } from '../pipeline/plan-next-send';
import { BinaryHeap } from './binary-heap';
import { ZoneDayCursor } from './zone-day-cursor';
import { SimulatedRotationMember, SimulatedRotation } from './simulated-rotation-member';
import { type CampaignOfLead, dueBefore, type SimulatedLeadState } from './simulated-lead-state';
import { type SimulatedCampaign, type SimulatedShare, type SimulatedStep } from './simulation-input';

const NONE: DayCount = { day: '', used: 0 };

/** A campaign in the course of a simulation. */
export class SimulatedCampaignState implements CampaignOfLead {
  readonly id: string;
  readonly steps: readonly SimulatedStep[];
  readonly startsAt: Date;
  readonly days: ZoneDayCursor;
  /** Leads without a sender. */
  readonly newLeads = new BinaryHeap<SimulatedLeadState>(dueBefore);
  /** Leads of each mailbox that it has no longer, in their order. */
  readonly left: readonly BinaryHeap<SimulatedLeadState>[];
  readonly shares: SimulatedShareState[] = [];
  /** Its mailboxes as rotation sees them. */
  readonly rotation = new SimulatedRotation();
  /** Leads of which something is still to come. */
  open = 0;
  /** Grows with every change that its mailboxes may see. */
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

  /** Where a lead stands that was written to from a mailbox; none for one that the campaign never had. */
  rowOf(mailboxId: string | null): BinaryHeap<SimulatedLeadState> | undefined {
    if (mailboxId === null) return this.newLeads;
    this.#own ??= new Map(this.shares.map(({ input, followUps }) => [input.mailboxId, followUps]));
    return this.#own.get(mailboxId) ?? this.#former.get(mailboxId);
  }

  /** As seen by a mailbox. */
  factsFor(nextAt: Date | null): CampaignFacts {
    return { ...this.input.facts, nextAt, usedToday: this.#used, newLeadsToday: this.#newUsed };
  }

  usedOfDomain(domain: string): DayCount {
    return this.#domains.get(domain) ?? NONE;
  }

  /** An email of it counts towards its limits of the day. */
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

/** A campaign as one of its mailboxes sees it. */
export class SimulatedShareState implements CampaignAtWork {
  /** Leads that the mailbox wrote to first. */
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

  /** New leads that the mailbox has taken. */
  get taken(): number {
    return this.inRotation.taken;
  }

  /** It takes another one. */
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

/** The one served longest ago first, before all others those that never were. */
export function servedBefore(one: SimulatedShareState, other: SimulatedShareState): boolean {
  const difference = (one.lastServedAt?.getTime() ?? -Infinity) - (other.lastServedAt?.getTime() ?? -Infinity);
  return difference < 0 || (!(difference > 0) && one.input.id < other.input.id);
}
