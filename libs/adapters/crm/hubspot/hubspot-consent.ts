import { type CrmConsent } from '../port/crm-consent';

/**
 * https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/oauth/working-with-oauth: the refresh token stays
 * the same, and access tokens are valid for half an hour. The scope `oauth` identifies the account.
 */
export const HUBSPOT_CONSENT: CrmConsent = {
  scopes: [
    'oauth',
    'crm.objects.contacts.read',
    'crm.objects.contacts.write',
    'crm.schemas.contacts.read',
    'crm.lists.read',
  ],
  scopeSeparator: ' ',
  authParameters: {},
  clientAuth: 'body',
  hasProofKey: false,
  baseUrlField: null,
  defaultLifeSeconds: 1_800,
  baseUrlDomains: ['api.hubapi.com'],
};
