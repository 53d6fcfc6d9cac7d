import { AGENTS_PERSONAL_DATA } from '@domain/agents';
import { AUDIT_PERSONAL_DATA } from '@domain/audit';
import { CRM_PERSONAL_DATA } from '@domain/crm';
import { ENRICHMENT_PERSONAL_DATA } from '@domain/enrichment';
import { EVENTS_PERSONAL_DATA } from '@domain/events';
import { INBOX_PERSONAL_DATA } from '@domain/inbox';
import { LEADS_PERSONAL_DATA } from '@domain/leads';
import { MAILBOXES_PERSONAL_DATA } from '@domain/mailboxes';
import { REPORTS_PERSONAL_DATA } from '@domain/reports';
import { SENDS_PERSONAL_DATA } from '@domain/sends';
import { SUPPRESSIONS_PERSONAL_DATA } from '@domain/suppressions';
import { TRACKING_PERSONAL_DATA } from '@domain/tracking';
import { WEBHOOKS_PERSONAL_DATA } from '@domain/webhooks';
import { type PersonalCollection, type PersonalDataProvider, type Unfinished } from '@platform/personal-data';

/**
 * The domains with personal data, in the order of erasure. Records that are found through others come before them, so that an
 * interrupted erasure still finds the remaining ones: by a conversation, by a send, and by a lead at last. Events come
 * before webhook deliveries, which are created from them.
 */
const PROVIDERS: readonly PersonalDataProvider[] = [
  AGENTS_PERSONAL_DATA,
  AUDIT_PERSONAL_DATA,
  INBOX_PERSONAL_DATA,
  MAILBOXES_PERSONAL_DATA,
  CRM_PERSONAL_DATA,
  TRACKING_PERSONAL_DATA,
  SENDS_PERSONAL_DATA,
  EVENTS_PERSONAL_DATA,
  WEBHOOKS_PERSONAL_DATA,
  SUPPRESSIONS_PERSONAL_DATA,
  ENRICHMENT_PERSONAL_DATA,
  REPORTS_PERSONAL_DATA,
  LEADS_PERSONAL_DATA,
];

export const PERSONAL_COLLECTIONS: readonly PersonalCollection[] = PROVIDERS.flatMap(({ collections }) => collections);

export const UNFINISHED: readonly Unfinished[] = PROVIDERS.flatMap(({ unfinished = [] }) => unfinished);
