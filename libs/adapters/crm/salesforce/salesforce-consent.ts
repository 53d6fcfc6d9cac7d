import { type CrmConsent } from '../port/crm-consent';

/**
 * OAuth 2.0 web server flow of Salesforce with PKCE (Salesforce Help, "OAuth 2.0 Web Server Flow for Web App Integration"). `api` opens the
 * REST API, `refresh_token` allows access while the user is away. The response has no `expires_in`: the organisation sets the session
 * timeout, by default two hours after the last use. A 401 shows that it ended earlier.
 */
export const SALESFORCE_CONSENT: CrmConsent = {
  scopes: ['api', 'refresh_token'],
  scopeSeparator: ' ',
  authParameters: {},
  clientAuth: 'body',
  hasProofKey: true,
  baseUrlField: 'instance_url',
  defaultLifeSeconds: 7_200,
  baseUrlDomains: ['salesforce.com'],
};
