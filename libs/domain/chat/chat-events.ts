import { type EventType } from '@domain/events';

/**
 * What a channel can be told of. Not what happens with every email by itself (`email.sent`, `lead.completed`): nobody reads
 * that line by line; the daily figures are in reports.
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

/** Unless said: what somebody should do something about, or is glad of. */
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
