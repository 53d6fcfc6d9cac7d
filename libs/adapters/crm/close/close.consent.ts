import { type CrmConsent } from '../port/crm.consent';

/** https://developer.close.com/api/overview/authentication-oauth: a refresh token is given with `offline_access` only. */
export const CLOSE_CONSENT: CrmConsent = {
  scopes: ['all.full_access', 'offline_access'],
  scopeSeparator: ' ',
  authParameters: {},
  clientAuth: 'body',
  hasProofKey: false,
  baseUrlField: null,
  defaultLifeSeconds: 3_600,
  baseUrlDomains: ['close.com'],
};
