import { type CampaignFacts, type DayCount } from '../decide/facts';
import { counted } from '../decide/tokens';
import { BinaryHeap } from './binary-heap';
import { ZoneDayCursor } from './zone-day-cursor';
import { SimulatedRotation } from './simulated-rotation';
import { type CampaignOfLead, dueBefore, type SimulatedLeadState } from './simulated-lead-state';
import { type SimulatedCampaign, type SimulatedShare, type SimulatedStep } from './simulation-input';

const NONE: DayCount = { day: '', used: 0 };

/** A mailbox of the campaign with its leads. */
interface ShareOfCampaign {
  readonly input: SimulatedShare;
  readonly followUps: BinaryHeap<SimulatedLeadState>;
}

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
  readonly shares: ShareOfCampaign[] = [];
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
