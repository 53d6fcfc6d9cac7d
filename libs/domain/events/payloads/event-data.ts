import { type EventType } from '../event-types';
import { EMAIL_DATA } from './email-data';
import { type ObjectShape } from './shape';
import {
  AGENT_DATA,
  BLACKLIST_DATA,
  CAMPAIGN_DATA,
  ENRICHMENT_DATA,
  INTEGRATION_DATA,
  LEAD_DATA,
  MAILBOX_DATA,
  WEBHOOK_DATA,
} from './subject-data';

/** Data of each event type: the one source of the TypeScript types, JSON Schemas, samples and reference page. */
export const EVENT_DATA = {
  ...MAILBOX_DATA,
  ...CAMPAIGN_DATA,
  ...EMAIL_DATA,
  ...LEAD_DATA,
  ...BLACKLIST_DATA,
  ...ENRICHMENT_DATA,
  ...AGENT_DATA,
  ...INTEGRATION_DATA,
  ...WEBHOOK_DATA,
} satisfies Record<EventType, ObjectShape>;

/** Data of a stored event; an erasure may have removed fields. */
export type EventData<T extends EventType = EventType> = (typeof EVENT_DATA)[T]['example'];
