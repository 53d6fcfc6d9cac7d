import { type EventType } from '@domain/events';

/** What can be told to the timeline of a person in the CRM. */
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

/** After what a person can be pushed to the CRM: everything that may change its stage. */
export const PUSH_EVENTS = [...ACTIVITY_EVENTS, 'lead.completed'] as const satisfies readonly EventType[];
export type PushEvent = (typeof PUSH_EVENTS)[number];
