import { type CrmConsent } from '../port/crm-consent';

/**
 * https://www.zoho.com/crm/developer/docs/api/v8/auth-request.html: a refresh token is given only for `offline`, and again only for
 * `consent`. The token response contains the API URL: each data centre has its own (v8/multi-dc.html).
 */
export const ZOHO_CONSENT: CrmConsent = {
  scopes: [
    'ZohoCRM.modules.contacts.ALL',
    'ZohoCRM.modules.accounts.READ',
    'ZohoCRM.modules.notes.CREATE',
    'ZohoCRM.settings.fields.READ',
    'ZohoCRM.coql.READ',
    'ZohoCRM.org.READ',
  ],
  scopeSeparator: ',',
  authParameters: { access_type: 'offline', prompt: 'consent' },
  clientAuth: 'body',
  hasProofKey: false,
  baseUrlField: 'api_domain',
  defaultLifeSeconds: 3_600,
  baseUrlDomains: [
    'www.zohoapis.com',
    'www.zohoapis.eu',
    'www.zohoapis.in',
    'www.zohoapis.com.au',
    'www.zohoapis.com.cn',
    'www.zohoapis.jp',
    'www.zohoapis.ca',
    'www.zohoapis.sa',
    'www.zohoapis.uk',
    'www.zohoapis.ae',
  ],
  tokenServers: {
    parameter: 'accounts-server',
    hosts: [
      'accounts.zoho.com',
      'accounts.zoho.eu',
      'accounts.zoho.in',
      'accounts.zoho.com.au',
      'accounts.zoho.com.cn',
      'accounts.zoho.jp',
      'accounts.zohocloud.ca',
      'accounts.zoho.sa',
      'accounts.zoho.uk',
      'accounts.zoho.ae',
    ],
  },
};
