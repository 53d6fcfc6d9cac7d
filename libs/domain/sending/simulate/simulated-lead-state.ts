import { type DayCount, type LeadFacts } from '../decide/facts';
import { type LeadAtWork } from '../pipeline/plan-next-send';
import { type BinaryHeap } from './binary-heap';
import { type SimulatedLead, type SimulatedStep } from './simulation-input';

const NOTHING: readonly string[] = [];
const SOMETHING: readonly string[] = ['?'];

/** The campaign of a lead, as far as leads have to do with it. */
export interface CampaignOfLead {
  readonly steps: readonly SimulatedStep[];
  readonly newLeads: BinaryHeap<SimulatedLeadState>;
  readonly left: readonly BinaryHeap<SimulatedLeadState>[];
  open: number;
  version: number;
  usedOfDomain(domain: string): DayCount;
}

/** A lead in the course of a simulation. */
export class SimulatedLeadState implements LeadAtWork {
  readonly id: string;
  dueAt: number;
  step: number;
  sentCount: number;
  /** Whether it is due later than by its own date, because something held it back. */
  postponed: boolean;

  /** @param order its place among all leads by id */
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

  /** Whether a mailbox has it, or had it, when the simulation begins. */
  get hadSender(): boolean {
    return this.input.mailboxId !== null;
  }

  get isNew(): boolean {
    return this.sentCount === 0;
  }

  /** It stands in the row of its sender, or of those that any mailbox may take: never is another one its sender. */
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

/** The order in which leads are due. */
export function dueBefore(one: SimulatedLeadState, other: SimulatedLeadState): boolean {
  return one.dueAt === other.dueAt ? one.order < other.order : one.dueAt < other.dueAt;
}
