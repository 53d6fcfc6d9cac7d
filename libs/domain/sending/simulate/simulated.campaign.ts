import { type CampaignFacts, type DayCount } from '../decide/facts';
import { counted } from '../decide/tokens';
import { type OtherMailbox } from '../turn/rotation.wait';
import { type CampaignAtWork } from '../turn/turn.plan';
import { BinaryHeap } from './binary.heap';
import { PassingDays } from './passing.days';
import { type CampaignOfLead, dueBefore, type LeadState } from './simulated.lead';
import { type SimulatedCampaign, type SimulatedShare, type SimulatedStep } from './simulation.input';

const NONE: DayCount = { day: '', used: 0 };

/** A campaign in the course of a simulation. */
export class CampaignState implements CampaignOfLead {
  readonly id: string;
  readonly steps: readonly SimulatedStep[];
  readonly startsAt: Date;
  readonly days: PassingDays;
  /** Leads without a sender. */
  readonly newLeads = new BinaryHeap<LeadState>(dueBefore);
  readonly shares: ShareState[] = [];
  /** Its mailboxes as rotation sees them. */
  readonly rotation: OtherMailbox[] = [];
  /** Leads of which something is still to come. */
  open = 0;
  /** Grows with every change that its mailboxes may see. */
  version = 0;
  #used: DayCount;
  #newUsed: DayCount;
  readonly #domains: Map<string, DayCount>;

  constructor(readonly input: SimulatedCampaign) {
    const { id, steps, startsAt, facts, domains } = input;
    this.id = id;
    this.steps = steps;
    this.startsAt = startsAt;
    this.days = new PassingDays(facts.schedule);
    this.#used = facts.usedToday;
    this.#newUsed = facts.newLeadsToday;
    const { day } = facts.usedToday;
    this.#domains = new Map([...domains].map(([domain, used]) => [domain, { day, used }]));
  }

  /** As seen by a mailbox. */
  factsFor(nextAt: Date | null): CampaignFacts {
    return { ...this.input.facts, nextAt, usedToday: this.#used, newLeadsToday: this.#newUsed };
  }

  usedOfDomain(domain: string): DayCount {
    return this.#domains.get(domain) ?? NONE;
  }

  /** An email of it counts towards its limits of the day. */
  take({ domain, isNew }: LeadState, at: number): void {
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
export class ShareState implements CampaignAtWork {
  /** Leads that the mailbox wrote to first. */
  readonly followUps = new BinaryHeap<LeadState>(dueBefore);
  lastServedAt: Date | null;
  nextAt: Date | null;
  taken: number;

  constructor(
    readonly input: SimulatedShare,
    readonly campaign: CampaignState,
    mailbox: { readonly nextAt: Date | null },
  ) {
    this.lastServedAt = input.lastServedAt;
    this.nextAt = input.nextAt;
    this.taken = input.newLeads;
    campaign.shares.push(this);
    campaign.rotation.push(new InRotation(this, mailbox));
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

class InRotation implements OtherMailbox {
  constructor(
    private readonly share: ShareState,
    private readonly mailbox: { readonly nextAt: Date | null },
  ) {}

  get taken(): number {
    return this.share.taken;
  }

  get nextAt(): Date | null {
    return this.mailbox.nextAt;
  }
}

/** The one served longest ago first, before all others those that never were. */
export function servedBefore(one: ShareState, other: ShareState): boolean {
  const difference = (one.lastServedAt?.getTime() ?? -Infinity) - (other.lastServedAt?.getTime() ?? -Infinity);
  return difference < 0 || (!(difference > 0) && one.input.id < other.input.id);
}
