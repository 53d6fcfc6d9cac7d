import { CRM_TYPES } from '@adapters/crm';

/** Integrations that connect by OAuth consent: the chat and the CRMs. */
export const INTEGRATION_NAMES = ['slack', ...CRM_TYPES] as const;
export type IntegrationName = (typeof INTEGRATION_NAMES)[number];
