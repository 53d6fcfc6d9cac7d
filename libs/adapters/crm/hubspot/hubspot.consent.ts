import { type CrmConsent } from '../port/crm.consent';

/**
 * https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/oauth/working-with-oauth: access tokens live half an
 * hour, refresh tokens until the app is taken away.
 */
export const HUBSPOT_CONSENT: CrmConsent = {
  scopes: ['oauth', 'crm.objects.contacts.read', 'crm.objects.contacts.write', 'crm.lists.read'],
  scopeSeparator: ' ',
  authParameters: {},
  clientAuth: 'body',
  hasProofKey: false,
  baseUrlField: null,
  defaultLifeSeconds: 1_800,
  baseUrlDomains: ['hubapi.com'],
};
