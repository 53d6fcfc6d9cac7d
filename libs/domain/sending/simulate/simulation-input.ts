import { type StepDelay } from '@platform/time';
import { type CampaignFacts, type LimitName, type MailboxFacts } from '../decide/facts';

/** The state of a mailbox at the start of the simulation. */
export interface SimulatedMailbox {
  readonly id: string;
  readonly facts: MailboxFacts;
}

export interface SimulatedStep {
  readonly id: string;
  /** Delay after the previous step; ignored for the first step. */
  readonly delay: StepDelay;
}

/** The share of a mailbox in a campaign. */
export interface SimulatedShare {
  readonly id: string;
  readonly mailboxId: string;
  readonly lastServedAt: Date | null;
  /** Until then the campaign's interval keeps the mailbox from sending. */
  readonly nextAt: Date | null;
  /** Number of new leads that the mailbox has taken. */
  readonly newLeads: number;
}

/** A campaign that is active from `startsAt` on. */
export interface SimulatedCampaign {
  readonly id: string;
  readonly startsAt: Date;
  /** The facts without those of its shares; daily limits are as used at the start of the simulation. */
  readonly facts: Omit<CampaignFacts, 'nextAt'>;
  /** What is used of the limit per recipient domain on `usedToday.day`. */
  readonly domains: ReadonlyMap<string, number>;
  readonly followUpsFirst: boolean;
  readonly emailIntervalMinutes: number;
  readonly steps: readonly SimulatedStep[];
  readonly shares: readonly SimulatedShare[];
  /** Former mailboxes: any mailbox of the campaign may continue with their leads. */
  readonly formerMailboxes: readonly string[];
}

/** A lead with pending steps. */
export interface SimulatedLead {
  readonly id: string;
  readonly campaignId: string;
  readonly domain: string;
  readonly freeMail: boolean;
  readonly timezone: string | null;
  readonly suppressed: boolean;
  /** Its next step: an index into the campaign's steps, or their number if there is none. */
  readonly step: number;
  /** The first step that lacks a variable for this lead; null if none does. */
  readonly missingAt: number | null;
  readonly sentCount: number;
  readonly mailboxId: string | null;
  readonly dueAt: Date;
  /** Whether that is later than the sequence says, because a limit postponed it. */
  readonly postponed?: boolean;
}

export interface SimulationInput {
  readonly start: Date;
  /** The simulation sends nothing from this moment on. */
  readonly end: Date;
  readonly mailboxes: readonly SimulatedMailbox[];
  readonly campaigns: readonly SimulatedCampaign[];
  readonly leads: readonly SimulatedLead[];
  /**
   * The campaign to report on: the simulation ends with it. Null to continue without a report until all campaigns are
   * done.
   */
  readonly campaignId: string | null;
  /** Maximum number of leads that plans read; the simulation is cut after it. */
  readonly maxPlans?: number;
}

/** A simulated email. */
export interface SimulatedSend {
  readonly at: Date;
  readonly mailboxId: string;
  readonly campaignId: string;
  readonly leadId: string;
  readonly stepId: string;
}

/** What a mailbox waits for. */
export interface SimulatedWait {
  readonly reason: LimitName;
  /** The wait stays the same before this moment if nothing else happens, in milliseconds since 1970. */
  readonly until: number;
}
