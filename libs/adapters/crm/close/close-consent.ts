import { type CrmConsent } from '../port/crm-consent';

/**
 * https://developer.close.com/api/overview/oauth-authentication: every app is granted `all.full_access offline_access` and requests no
 * scopes. A refresh token is valid once; the response contains the next one.
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
