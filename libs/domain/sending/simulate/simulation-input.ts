import { type StepDelay } from '@platform/time';
import { type CampaignFacts, type LimitName, type MailboxFacts } from '../decide/facts';

/** A mailbox as it stands when the simulation begins. */
export interface SimulatedMailbox {
  readonly id: string;
  readonly facts: MailboxFacts;
}

export interface SimulatedStep {
  readonly id: string;
  /** After the step before it; that of the first step is not looked at. */
  readonly delay: StepDelay;
}

/** What a mailbox has to do with a campaign. */
export interface SimulatedShare {
  readonly id: string;
  readonly mailboxId: string;
  readonly lastServedAt: Date | null;
  /** Until then the campaign's interval keeps the mailbox from sending for it. */
  readonly nextAt: Date | null;
  /** New leads that the mailbox has taken. */
  readonly newLeads: number;
}

/** A campaign that is active from `startsAt` on. */
export interface SimulatedCampaign {
  readonly id: string;
  readonly startsAt: Date;
  /** Those of its shares excepted, as the limits of the day are when the simulation begins. */
  readonly facts: Omit<CampaignFacts, 'nextAt'>;
  /** What is used of the limit per recipient domain on `usedToday.day`. */
  readonly domains: ReadonlyMap<string, number>;
  readonly followUpsFirst: boolean;
  readonly emailIntervalMinutes: number;
  readonly steps: readonly SimulatedStep[];
  readonly shares: readonly SimulatedShare[];
  /** Mailboxes that it had before: whoever comes first goes on with the leads that they wrote to. */
  readonly formerMailboxes: readonly string[];
}

/** A lead of which something is still to come. */
export interface SimulatedLead {
  readonly id: string;
  readonly campaignId: string;
  readonly domain: string;
  readonly freeMail: boolean;
  readonly timezone: string | null;
  readonly suppressed: boolean;
  /** Its next step: a place in the campaign's steps, their number when there is none. */
  readonly step: number;
  /** The first step that lacks a variable for this lead; null when none does. */
  readonly missingAt: number | null;
  readonly sentCount: number;
  readonly mailboxId: string | null;
  readonly dueAt: Date;
  /** Whether that is later than by the sequence, because something held it back. */
  readonly postponed?: boolean;
}

export interface SimulationInput {
  readonly start: Date;
  /** Nothing is sent at this moment and later. */
  readonly end: Date;
  readonly mailboxes: readonly SimulatedMailbox[];
  readonly campaigns: readonly SimulatedCampaign[];
  readonly leads: readonly SimulatedLead[];
  /** The campaign that is reported on: the simulation ends with it. null to go on until all are done, without a report. */
  readonly campaignId: string | null;
  /** Leads that are looked at, at most; later nothing more is known. */
  readonly maxPlans?: number;
}

/** An email that would be sent. */
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
  /** As long as nothing else happens it is the same before this, in milliseconds since 1970. */
  readonly until: number;
}
