import { type CrmConsent } from '../port/crm-consent';

/**
 * https://docs.attio.com/rest-api/tutorials/connect-an-app-through-oauth: the settings of the app define its permissions, so the consent
 * requests no scopes. Tokens do not expire and there is no refresh token: a refused token has been revoked.
 */
export const ATTIO_CONSENT: CrmConsent = {
  scopes: [],
  scopeSeparator: ' ',
  authParameters: {},
  clientAuth: 'body',
  hasProofKey: false,
  baseUrlField: null,
  // A hundred years, because the tokens do not expire.
  defaultLifeSeconds: 100 * 365 * 86_400,
  baseUrlDomains: ['api.attio.com'],
};
