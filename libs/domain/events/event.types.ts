/** What can happen in a workspace. Closed: a domain that has something new to say adds it here. */
const EVENT_TYPES = ['mailbox.connected', 'mailbox.disconnected', 'mailbox.reconnected', 'mailbox.deleted'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What an event is about; ids as text. */
export interface EventSubject {
  mailboxId?: string;
  campaignId?: string;
  leadId?: string;
}
