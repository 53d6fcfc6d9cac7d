import { type CrmConsent } from '../port/crm-consent';

/**
 * OAuth 2.0 of Pipedrive (pipedrive.readme.io/docs/marketplace-oauth-authorization). What an app may do is set where it is registered
 * (`contacts:full`, `activities:full`), so the request for consent names no scopes. The secret goes into the header; an access token
 * lives as long as the answer says, an hour.
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
