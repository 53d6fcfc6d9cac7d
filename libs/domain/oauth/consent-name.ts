import { CRM_TYPES } from '@adapters/crm';

/** Integrations that connect by OAuth consent: the chat and the CRMs. */
export const INTEGRATION_NAMES = ['slack', ...CRM_TYPES] as const;
export type IntegrationName = (typeof INTEGRATION_NAMES)[number];

/** Vendors whose mailboxes are connected by consent. */
export const MAILBOX_VENDORS = ['google', 'microsoft'] as const;

/** Whatever a consent connects. */
export const CONSENT_NAMES = [...INTEGRATION_NAMES, ...MAILBOX_VENDORS] as const;
export type ConsentName = (typeof CONSENT_NAMES)[number];
