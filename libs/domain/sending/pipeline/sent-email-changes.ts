import { type CampaignCount, type CampaignRecord, nextStep, type SequenceStep } from '@domain/campaigns';
import { type EventData, type NewEvent } from '@domain/events';
import { type AdvancedLead, type LeadProgress, type LeadThread } from '@domain/leads';
import { type MailboxRecord } from '@domain/mailboxes';
import { type SendRecord } from '@domain/sends';
import { sendData } from '@domain/tracking';
import { afterDelay } from '@platform/time';

type LeadEnd = EventData<'lead.completed'>;

/** An email that counts as sent, with the thread of its lead. */
export interface SentEmail {
  readonly send: SendRecord;
  /** Null if it was deleted in the meantime. */
  readonly mailbox: Pick<MailboxRecord, '_id' | 'email' | 'timezone'> | null;
  readonly campaign: CampaignRecord;
  readonly subject: string;
  readonly thread: LeadThread;
  /** The time of the send. */
  readonly at: Date;
  /** No proof was found within six hours. */
  readonly unconfirmed?: boolean;
}

/** Returns the progress of the lead after the email. */
export function getLeadProgress(
  { send, campaign, thread, at }: SentEmail,
  steps: readonly SequenceStep[],
): LeadProgress {
  const following = nextStep(steps, send.stepId);
  const next = following
    ? { stepId: following._id, dueAt: afterDelay(at, following.delay, campaign.sendingSchedule) }
    : null;
  return { sentAt: at, next, thread };
}

/** Returns the counters that the email changes. */
export function getCount({ send }: SentEmail, advanced: AdvancedLead | null): CampaignCount {
  return {
    stats: { sent: 1, delivered: 1 },
    steps: { [String(send.stepId)]: { sent: 1 } },
    ...(advanced?.finished && { leads: { [advanced.from]: -1, completed: 1 } }),
  };
}

/** Returns the events of a sent email. */
export function getEvents(
  { send, mailbox, subject, at, unconfirmed }: SentEmail,
  advanced: AdvancedLead | null,
): NewEvent[] {
  const data = {
    ...sendData(send),
    subject,
    from: mailbox?.email ?? null,
    firstOfLead: send.wasNew ?? false,
    unconfirmed: unconfirmed ?? false,
  };
  const sent = {
    type: 'email.sent' as const,
    dedupeKey: `email.sent:${String(send._id)}`,
    about: getSendEventSubject(send),
    data,
    at,
  };
  return advanced?.finished ? [sent, completed(send, 'completed', 'finished', at)] : [sent];
}

/** Creates the event of a completed lead: it gets no more emails. */
export function completed(send: SendRecord, status: LeadEnd['status'], reason: LeadEnd['reason'], at: Date): NewEvent {
  return {
    type: 'lead.completed',
    dedupeKey: `lead.completed:${String(send.leadId)}`,
    about: getSendEventSubject(send),
    data: { email: send.email, status, reason },
    at,
  };
}

export function getSendEventSubject({ mailboxId, campaignId, leadId }: SendRecord) {
  return { mailboxId: String(mailboxId), campaignId: String(campaignId), leadId: String(leadId) };
}
