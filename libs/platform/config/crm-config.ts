import { CoreConfig } from './core-config';
import { FromEnv, text, url } from './variable';

/** CRMs: the operator's OAuth client at each vendor, and where the vendor is. */
export class CrmConfig extends CoreConfig {
  @FromEnv('HUBSPOT_CLIENT_ID', text, {
    default: '',
    about:
      'Client id of your HubSpot public app. Empty means that HubSpot accounts cannot be connected by OAuth consent.',
  })
  readonly hubspotClientId!: string;

  @FromEnv('HUBSPOT_CLIENT_SECRET', text, {
    default: '',
    about: 'Client secret of your HubSpot public app.',
    secret: true,
  })
  readonly hubspotClientSecret!: string;

  @FromEnv('HUBSPOT_AUTH_URL', url('http', 'https'), {
    default: 'https://app.hubspot.com/oauth/authorize',
    about: 'Authorization endpoint of HubSpot; for tests.',
  })
  readonly hubspotAuthUrl!: string;

  @FromEnv('HUBSPOT_TOKEN_URL', url('http', 'https'), {
    default: 'https://api.hubapi.com/oauth/v1/token',
    about: 'Token endpoint of HubSpot; for tests.',
  })
  readonly hubspotTokenUrl!: string;

  @FromEnv('HUBSPOT_API_URL', url('http', 'https'), {
    default: 'https://api.hubapi.com',
    about: 'Base URL of the HubSpot API; for tests.',
  })
  readonly hubspotApiUrl!: string;

  @FromEnv('SALESFORCE_CLIENT_ID', text, {
    default: '',
    about:
      'Client id of your Salesforce connected app. Empty means that Salesforce accounts cannot be connected by OAuth consent.',
  })
  readonly salesforceClientId!: string;

  @FromEnv('SALESFORCE_CLIENT_SECRET', text, {
    default: '',
    about: 'Client secret of your Salesforce connected app.',
    secret: true,
  })
  readonly salesforceClientSecret!: string;

  @FromEnv('SALESFORCE_AUTH_URL', url('http', 'https'), {
    default: 'https://login.salesforce.com/services/oauth2/authorize',
    about: 'Authorization endpoint of Salesforce; for tests.',
  })
  readonly salesforceAuthUrl!: string;

  @FromEnv('SALESFORCE_TOKEN_URL', url('http', 'https'), {
    default: 'https://login.salesforce.com/services/oauth2/token',
    about: 'Token endpoint of Salesforce; for tests.',
  })
  readonly salesforceTokenUrl!: string;

  @FromEnv('SALESFORCE_API_URL', url('http', 'https'), {
    default: 'https://login.salesforce.com',
    about: 'Base URL of the Salesforce API for accounts whose token response names no URL; for tests.',
  })
  readonly salesforceApiUrl!: string;

  @FromEnv('PIPEDRIVE_CLIENT_ID', text, {
    default: '',
    about: 'Client id of your Pipedrive app. Empty means that Pipedrive accounts cannot be connected by OAuth consent.',
  })
  readonly pipedriveClientId!: string;

  @FromEnv('PIPEDRIVE_CLIENT_SECRET', text, {
    default: '',
    about: 'Client secret of your Pipedrive app.',
    secret: true,
  })
  readonly pipedriveClientSecret!: string;

  @FromEnv('PIPEDRIVE_AUTH_URL', url('http', 'https'), {
    default: 'https://oauth.pipedrive.com/oauth/authorize',
    about: 'Authorization endpoint of Pipedrive; for tests.',
  })
  readonly pipedriveAuthUrl!: string;

  @FromEnv('PIPEDRIVE_TOKEN_URL', url('http', 'https'), {
    default: 'https://oauth.pipedrive.com/oauth/token',
    about: 'Token endpoint of Pipedrive; for tests.',
  })
  readonly pipedriveTokenUrl!: string;

  @FromEnv('PIPEDRIVE_API_URL', url('http', 'https'), {
    default: 'https://api.pipedrive.com',
    about: 'Base URL of the Pipedrive API for keys entered without the URL of the account; for tests.',
  })
  readonly pipedriveApiUrl!: string;

  @FromEnv('ZOHO_CLIENT_ID', text, {
    default: '',
    about: 'Client id of your Zoho client. Empty means that Zoho accounts cannot be connected by OAuth consent.',
  })
  readonly zohoClientId!: string;

  @FromEnv('ZOHO_CLIENT_SECRET', text, { default: '', about: 'Client secret of your Zoho client.', secret: true })
  readonly zohoClientSecret!: string;

  @FromEnv('ZOHO_AUTH_URL', url('http', 'https'), {
    default: 'https://accounts.zoho.com/oauth/v2/auth',
    about: 'Authorization endpoint of Zoho; for tests.',
  })
  readonly zohoAuthUrl!: string;

  @FromEnv('ZOHO_TOKEN_URL', url('http', 'https'), {
    default: 'https://accounts.zoho.com/oauth/v2/token',
    about: 'Token endpoint of Zoho; for tests.',
  })
  readonly zohoTokenUrl!: string;

  @FromEnv('ZOHO_API_URL', url('http', 'https'), {
    default: 'https://www.zohoapis.com',
    about: 'Base URL of the Zoho API for accounts whose callback names no data centre; for tests.',
  })
  readonly zohoApiUrl!: string;

  @FromEnv('CLOSE_CLIENT_ID', text, {
    default: '',
    about: 'Client id of your Close OAuth app. Empty means that Close accounts cannot be connected by OAuth consent.',
  })
  readonly closeClientId!: string;

  @FromEnv('CLOSE_CLIENT_SECRET', text, { default: '', about: 'Client secret of your Close OAuth app.', secret: true })
  readonly closeClientSecret!: string;

  @FromEnv('CLOSE_AUTH_URL', url('http', 'https'), {
    default: 'https://app.close.com/oauth2/authorize/',
    about: 'Authorization endpoint of Close; for tests.',
  })
  readonly closeAuthUrl!: string;

  @FromEnv('CLOSE_TOKEN_URL', url('http', 'https'), {
    default: 'https://api.close.com/oauth2/token/',
    about: 'Token endpoint of Close; for tests.',
  })
  readonly closeTokenUrl!: string;

  @FromEnv('CLOSE_API_URL', url('http', 'https'), {
    default: 'https://api.close.com',
    about: 'Base URL of the Close API; for tests.',
  })
  readonly closeApiUrl!: string;

  @FromEnv('ATTIO_CLIENT_ID', text, {
    default: '',
    about: 'Client id of your Attio app. Empty means that Attio accounts cannot be connected by OAuth consent.',
  })
  readonly attioClientId!: string;

  @FromEnv('ATTIO_CLIENT_SECRET', text, { default: '', about: 'Client secret of your Attio app.', secret: true })
  readonly attioClientSecret!: string;

  @FromEnv('ATTIO_AUTH_URL', url('http', 'https'), {
    default: 'https://app.attio.com/authorize',
    about: 'Authorization endpoint of Attio; for tests.',
  })
  readonly attioAuthUrl!: string;

  @FromEnv('ATTIO_TOKEN_URL', url('http', 'https'), {
    default: 'https://app.attio.com/oauth/token',
    about: 'Token endpoint of Attio; for tests.',
  })
  readonly attioTokenUrl!: string;

  @FromEnv('ATTIO_API_URL', url('http', 'https'), {
    default: 'https://api.attio.com',
    about: 'Base URL of the Attio API; for tests.',
  })
  readonly attioApiUrl!: string;
}
