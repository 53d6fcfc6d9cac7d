import { type CrmConsent } from '../port/crm-consent';

/**
 * OAuth 2.0 of Pipedrive (pipedrive.readme.io/docs/marketplace-oauth-authorization). The registration of an app defines its scopes
 * (`contacts:full`, `activities:full`), so the consent requests none. The secret is sent in the header; an access token is valid as long as
 * the response states, an hour.
 */
export const PIPEDRIVE_CONSENT: CrmConsent = {
  scopes: [],
  scopeSeparator: ' ',
  authParameters: {},
  clientAuth: 'basic',
  hasProofKey: false,
  baseUrlField: 'api_domain',
  defaultLifeSeconds: 3_600,
  baseUrlDomains: ['pipedrive.com'],
};
