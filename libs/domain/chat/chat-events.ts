import { type EventType } from '@domain/events';

/**
 * Events that a channel can subscribe to. Events of each single email (`email.sent`, `lead.completed`) are excluded:
 * reports carry their daily totals.
 */
export const CHAT_EVENTS = [
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
  'email.failed',
  'email.opened',
  'email.clicked',
  'email.replied',
  'email.positive_reply',
  'email.auto_replied',
  'email.bounced',
  'email.complained',
  'email.unsubscribed',
  'blacklist.completed',
  'enrichment.completed',
  'agent.trained',
  'webhook.disabled',
  'integration.disconnected',
  'crm.sync_completed',
] as const satisfies readonly EventType[];
export type ChatEvent = (typeof CHAT_EVENTS)[number];

/** Default subscription: events that need action, and good news. */
export const DEFAULT_CHAT_EVENTS: readonly ChatEvent[] = [
  'email.positive_reply',
  'email.complained',
  'mailbox.disconnected',
  'mailbox.sending_stopped',
  'mailbox.blacklisted',
  'campaign.paused',
  'campaign.completed',
  'webhook.disabled',
  'integration.disconnected',
];
