import { type CrmConsent } from '../port/crm-consent';

/**
 * OAuth 2.0 web server flow of Salesforce with PKCE (Salesforce Help, "OAuth 2.0 Web Server Flow for Web App Integration"). `api` opens
 * the REST API, `refresh_token` lets us stay in when nobody is there. The answer has no `expires_in`: a session ends as the organisation
 * set it up, two hours after its last use unless it says otherwise, and what ends earlier is seen by its 401.
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
