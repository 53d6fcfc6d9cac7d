import { type DayCount, type LeadFacts } from '../decide/facts';
import { type LeadAtWork } from '../pipeline/plan-next-send';
import { type BinaryHeap } from './binary-heap';
import { type SimulatedLead, type SimulatedStep } from './simulation-input';

const NOTHING: readonly string[] = [];
const SOMETHING: readonly string[] = ['?'];

/** The parts of a campaign that its leads use. */
export interface CampaignOfLead {
  readonly steps: readonly SimulatedStep[];
  readonly newLeads: BinaryHeap<SimulatedLeadState>;
  readonly left: readonly BinaryHeap<SimulatedLeadState>[];
  open: number;
  version: number;
  usedOfDomain(domain: string): DayCount;
}

/** The changing state of a simulated lead. */
export class SimulatedLeadState implements LeadAtWork {
  readonly id: string;
  dueAt: number;
  step: number;
  sentCount: number;
  /** Whether a limit postponed the lead beyond its own due date. */
  postponed: boolean;

  /** @param order its position among all leads by id */
  constructor(
    private readonly input: SimulatedLead,
    readonly order: number,
    readonly campaign: CampaignOfLead,
  ) {
    this.id = input.id;
    this.dueAt = input.dueAt.getTime();
    this.postponed = input.postponed ?? false;
    this.step = input.step;
    this.sentCount = input.sentCount;
  }

  get domain(): string {
    return this.input.domain;
  }

  /** Whether the lead has or had a sender at the start of the simulation. */
  get hadSender(): boolean {
    return this.input.mailboxId !== null;
  }

  get isNew(): boolean {
    return this.sentCount === 0;
  }

  /** Only its sender reads the lead, or any mailbox if it has none, so it never waits for another sender. */
  get facts(): LeadFacts {
    const { timezone, suppressed, freeMail, missingAt } = this.input;
    return {
      status: 'active',
      stopReason: null,
      resumeAt: null,
      dueAt: new Date(this.dueAt),
      postponed: null,
      isNew: this.isNew,
      inFlight: null,
      timezone,
      suppressed,
      domainUsedToday: this.campaign.usedOfDomain(this.domain),
      freeMail,
      missingVariables: missingAt !== null && this.step >= missingAt ? SOMETHING : NOTHING,
      hasNextStep: this.step < this.campaign.steps.length,
      senderIsThisMailbox: true,
    };
  }
}

/** Orders leads by their due dates. */
export function dueBefore(one: SimulatedLeadState, other: SimulatedLeadState): boolean {
  return one.dueAt === other.dueAt ? one.order < other.order : one.dueAt < other.dueAt;
}
