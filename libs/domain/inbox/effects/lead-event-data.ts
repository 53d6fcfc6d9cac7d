import { type CampaignFigure } from '@domain/campaigns';
import { type EventSubject, type NewEvent } from '@domain/events';
import { aboutSend, sendData } from '@domain/tracking';
import { type KnownMatch } from '../match/match';

type MailEvent = Extract<
  NewEvent,
  { type: `email.${'replied' | 'positive_reply' | 'auto_replied' | 'bounced' | 'complained'}` }
>;
/** Distributes over the union. */
type WithoutAbout<E> = E extends NewEvent ? Omit<E, 'about' | 'at'> : never;

/** An event about a lead's email, and the counters that it increments. */
export type LeadEventInput = WithoutAbout<MailEvent> & CounterNames;

interface CounterNames {
  readonly at: Date;
  /** Counter of the campaign. */
  readonly figure?: CampaignFigure;
  /** Counter of the step. */
  readonly ofStep?: 'bounced';
  /** Counter of the mailbox and its day. */
  readonly ofMailbox?: 'replied' | 'bounced';
}

export interface LeadEvent {
  readonly match: KnownMatch;
  readonly event: LeadEventInput;
}

/** Returns the subject of an event: the lead, and the email where it is known. */
export function getLeadEventSubject({ lead, send }: KnownMatch): EventSubject {
  if (send) return aboutSend(send);
  const about = { campaignId: lead.campaignId.toHexString(), leadId: lead._id.toHexString() };
  return lead.mailboxId ? { ...about, mailboxId: lead.mailboxId.toHexString() } : about;
}

const UNKNOWN = { subject: null, step: null, stepId: null, variantId: null, messageId: null, sendId: null };

/** Returns the common data of each event about an email. */
export function getEmailData({ lead, send }: KnownMatch) {
  return { ...(send ? sendData(send) : UNKNOWN), email: lead.email };
}
