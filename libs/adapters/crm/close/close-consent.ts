import { type CrmConsent } from '../port/crm-consent';

/**
 * https://developer.close.com/api/overview/oauth-authentication: every app is granted `all.full_access offline_access` and asks for nothing;
 * a refresh token is used up by using it, and the next one comes with the answer.
 */
export const CLOSE_CONSENT: CrmConsent = {
  scopes: [],
  scopeSeparator: ' ',
  authParameters: {},
  clientAuth: 'body',
  hasProofKey: false,
  baseUrlField: null,
  defaultLifeSeconds: 3_600,
  baseUrlDomains: ['api.close.com'],
};
