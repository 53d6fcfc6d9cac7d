import { type CampaignFacts } from '../decide/facts';
import { type CampaignAtWork } from '../pipeline/plan-next-send';
import { BinaryHeap } from './binary-heap';
import { type SimulatedCampaignState } from './simulated-campaign-state';
import { dueBefore, type SimulatedLeadState } from './simulated-lead-state';
import { SimulatedRotationMember } from './simulated-rotation-member';
import { type SimulatedShare } from './simulation-input';

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
