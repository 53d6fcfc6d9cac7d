import { type CampaignFigure } from '@domain/campaigns';
import { type EventSubject, type NewEvent } from '@domain/events';
import { aboutSend, sendData } from '@domain/tracking';
import { type KnownMatch } from '../match/match';

type MailEvent = Extract<
  NewEvent,
  { type: `email.${'replied' | 'positive_reply' | 'auto_replied' | 'bounced' | 'complained'}` }
>;
/** Of a union each for itself. */
type WithoutAbout<E> = E extends NewEvent ? Omit<E, 'about' | 'at'> : never;

/** What happened to a lead's email, and as what it counts. */
export type LeadEventType = WithoutAbout<MailEvent> & Counting;

interface Counting {
  readonly at: Date;
  /** Of the campaign. */
  readonly figure?: CampaignFigure;
  /** Of the step as well. */
  readonly ofStep?: 'bounced';
  /** Of the mailbox and its day. */
  readonly ofMailbox?: 'replied' | 'bounced';
}

/** Something that happened, and to whom. */
export interface LeadEvent {
  readonly match: KnownMatch;
  readonly happening: LeadEventType;
}

/** Which lead an event is about, and which email where that is known. */
export function getAbout({ lead, send }: KnownMatch): EventSubject {
  if (send) return aboutSend(send);
  const about = { campaignId: lead.campaignId.toHexString(), leadId: lead._id.toHexString() };
  return lead.mailboxId ? { ...about, mailboxId: lead.mailboxId.toHexString() } : about;
}

const UNKNOWN = { subject: null, step: null, stepId: null, variantId: null, messageId: null, sendId: null };

/** What every event about an email says. */
export function emailData({ lead, send }: KnownMatch) {
  return { ...(send ? sendData(send) : UNKNOWN), email: lead.email };
}
