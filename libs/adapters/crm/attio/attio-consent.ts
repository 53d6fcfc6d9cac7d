import { type CrmConsent } from '../port/crm-consent';

/**
 * https://docs.attio.com/rest-api/tutorials/connect-an-app-through-oauth: what an app may do is set where the app is made, so no scopes are
 * asked for. Tokens do not end, and there is none to renew them with: a token that is refused has been taken back.
 */
export const ATTIO_CONSENT: CrmConsent = {
  scopes: [],
  scopeSeparator: ' ',
  authParameters: {},
  clientAuth: 'body',
  hasProofKey: false,
  baseUrlField: null,
  // A hundred years, of which the answer says nothing: for ever.
  defaultLifeSeconds: 100 * 365 * 86_400,
  baseUrlDomains: ['api.attio.com'],
};
