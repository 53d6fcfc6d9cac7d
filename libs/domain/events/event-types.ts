/** Types of events of a workspace. A closed list: a domain adds its new types here. */
export const EVENT_TYPES = [
  'mailbox.connected',
  'mailbox.disconnected',
  'mailbox.reconnected',
  'mailbox.health_changed',
  'mailbox.blacklisted',
  'mailbox.deleted',
  'mailbox.sending_stopped',
  'campaign.started',
  'campaign.paused',
  'campaign.resumed',
  'campaign.completed',
  'email.sent',
  'email.failed',
  'email.opened',
  'email.clicked',
  'email.replied',
  'email.positive_reply',
  'email.auto_replied',
  'email.bounced',
  'email.complained',
  'email.unsubscribed',
  'lead.completed',
  'blacklist.completed',
  'enrichment.completed',
  'agent.trained',
  'integration.disconnected',
  'crm.sync_completed',
  'webhook.disabled',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Records that an event is about; ids as text. */
export interface EventSubject {
  mailboxId?: string;
  campaignId?: string;
  leadId?: string;
}
