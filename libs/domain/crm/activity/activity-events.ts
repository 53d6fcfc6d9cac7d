import { type EventType } from '@domain/events';

/** Events that can be posted to a person's timeline in the CRM. */
export const ACTIVITY_EVENTS = [
  'email.sent',
  'email.opened',
  'email.clicked',
  'email.replied',
  'email.positive_reply',
  'email.bounced',
  'email.complained',
  'email.unsubscribed',
] as const satisfies readonly EventType[];
export type ActivityEvent = (typeof ACTIVITY_EVENTS)[number];

/** Events that can push a person to the CRM: each may change its stage. */
export const PUSH_EVENTS = [...ACTIVITY_EVENTS, 'lead.completed'] as const satisfies readonly EventType[];
export type PushEvent = (typeof PUSH_EVENTS)[number];
