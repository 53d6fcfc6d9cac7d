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

/** What there is to say of an event, by type: the one source of what the compiler, the schemas, samples and docs say of it. */
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

/** What is recorded of an event of a type; as it is stored, erasure may have taken fields away. */
export type EventData<T extends EventType = EventType> = (typeof EVENT_DATA)[T]['example'];
