import { CoreConfig } from './core-config';
import { FromEnv, text, url } from './variable';

/** Settings of the CRMs: the OAuth client and the endpoints of each vendor. */
export class CrmConfig extends CoreConfig {
  @FromEnv('HUBSPOT_CLIENT_ID', text, {
    default: '',
    about: 'Client id of your OAuth app at HubSpot. Empty: HubSpot accounts cannot be connected by OAuth.',
  })
  readonly hubspotClientId!: string;

  @FromEnv('HUBSPOT_CLIENT_SECRET', text, {
    default: '',
    about: 'Client secret of your OAuth app at HubSpot.',
    secret: true,
  })
  readonly hubspotClientSecret!: string;

  @FromEnv('HUBSPOT_AUTH_URL', url('http', 'https'), {
    default: 'https://app.hubspot.com/oauth/authorize',
    about: 'Authorization endpoint of HubSpot; change it for tests only.',
  })
  readonly hubspotAuthUrl!: string;

  @FromEnv('HUBSPOT_TOKEN_URL', url('http', 'https'), {
    default: 'https://api.hubapi.com/oauth/v1/token',
    about: 'Token endpoint of HubSpot; change it for tests only.',
  })
  readonly hubspotTokenUrl!: string;

  @FromEnv('HUBSPOT_API_URL', url('http', 'https'), {
    default: 'https://api.hubapi.com',
    about: 'Base URL of the HubSpot API; change it for tests only.',
  })
  readonly hubspotApiUrl!: string;

  @FromEnv('SALESFORCE_CLIENT_ID', text, {
    default: '',
    about: 'Client id of your OAuth app at Salesforce. Empty: Salesforce accounts cannot be connected by OAuth.',
  })
  readonly salesforceClientId!: string;

  @FromEnv('SALESFORCE_CLIENT_SECRET', text, {
    default: '',
    about: 'Client secret of your OAuth app at Salesforce.',
    secret: true,
  })
  readonly salesforceClientSecret!: string;

  @FromEnv('SALESFORCE_AUTH_URL', url('http', 'https'), {
    default: 'https://login.salesforce.com/services/oauth2/authorize',
    about: 'Authorization endpoint of Salesforce; change it for tests only.',
  })
  readonly salesforceAuthUrl!: string;

  @FromEnv('SALESFORCE_TOKEN_URL', url('http', 'https'), {
    default: 'https://login.salesforce.com/services/oauth2/token',
    about: 'Token endpoint of Salesforce; change it for tests only.',
  })
  readonly salesforceTokenUrl!: string;

  @FromEnv('SALESFORCE_API_URL', url('http', 'https'), {
    default: 'https://login.salesforce.com',
    about: 'Base URL of the Salesforce API for accounts whose grant names no instance; change it for tests only.',
  })
  readonly salesforceApiUrl!: string;

  @FromEnv('PIPEDRIVE_CLIENT_ID', text, {
    default: '',
    about: 'Client id of your OAuth app at Pipedrive. Empty: Pipedrive accounts cannot be connected by OAuth.',
  })
  readonly pipedriveClientId!: string;

  @FromEnv('PIPEDRIVE_CLIENT_SECRET', text, {
    default: '',
    about: 'Client secret of your OAuth app at Pipedrive.',
    secret: true,
  })
  readonly pipedriveClientSecret!: string;

  @FromEnv('PIPEDRIVE_AUTH_URL', url('http', 'https'), {
    default: 'https://oauth.pipedrive.com/oauth/authorize',
    about: 'Authorization endpoint of Pipedrive; change it for tests only.',
  })
  readonly pipedriveAuthUrl!: string;

  @FromEnv('PIPEDRIVE_TOKEN_URL', url('http', 'https'), {
    default: 'https://oauth.pipedrive.com/oauth/token',
    about: 'Token endpoint of Pipedrive; change it for tests only.',
  })
  readonly pipedriveTokenUrl!: string;

  @FromEnv('PIPEDRIVE_API_URL', url('http', 'https'), {
    default: 'https://api.pipedrive.com',
    about: 'Base URL of the Pipedrive API for API keys without the domain of the account; change it for tests only.',
  })
  readonly pipedriveApiUrl!: string;

  @FromEnv('ZOHO_CLIENT_ID', text, {
    default: '',
    about: 'Client id of your OAuth app at Zoho. Empty: Zoho accounts cannot be connected by OAuth.',
  })
  readonly zohoClientId!: string;

  @FromEnv('ZOHO_CLIENT_SECRET', text, { default: '', about: 'Client secret of your OAuth app at Zoho.', secret: true })
  readonly zohoClientSecret!: string;

  @FromEnv('ZOHO_AUTH_URL', url('http', 'https'), {
    default: 'https://accounts.zoho.com/oauth/v2/auth',
    about: 'Authorization endpoint of Zoho; change it for tests only.',
  })
  readonly zohoAuthUrl!: string;

  @FromEnv('ZOHO_TOKEN_URL', url('http', 'https'), {
    default: 'https://accounts.zoho.com/oauth/v2/token',
    about: 'Token endpoint of Zoho; change it for tests only.',
  })
  readonly zohoTokenUrl!: string;

  @FromEnv('ZOHO_API_URL', url('http', 'https'), {
    default: 'https://www.zohoapis.com',
    about: 'Base URL of the Zoho API for accounts whose grant names no data centre; change it for tests only.',
  })
  readonly zohoApiUrl!: string;

  @FromEnv('CLOSE_CLIENT_ID', text, {
    default: '',
    about: 'Client id of your OAuth app at Close. Empty: Close accounts cannot be connected by OAuth.',
  })
  readonly closeClientId!: string;

  @FromEnv('CLOSE_CLIENT_SECRET', text, {
    default: '',
    about: 'Client secret of your OAuth app at Close.',
    secret: true,
  })
  readonly closeClientSecret!: string;

  @FromEnv('CLOSE_AUTH_URL', url('http', 'https'), {
    default: 'https://app.close.com/oauth2/authorize/',
    about: 'Authorization endpoint of Close; change it for tests only.',
  })
  readonly closeAuthUrl!: string;

  @FromEnv('CLOSE_TOKEN_URL', url('http', 'https'), {
    default: 'https://api.close.com/oauth2/token/',
    about: 'Token endpoint of Close; change it for tests only.',
  })
  readonly closeTokenUrl!: string;

  @FromEnv('CLOSE_API_URL', url('http', 'https'), {
    default: 'https://api.close.com',
    about: 'Base URL of the Close API; change it for tests only.',
  })
  readonly closeApiUrl!: string;

  @FromEnv('ATTIO_CLIENT_ID', text, {
    default: '',
    about: 'Client id of your OAuth app at Attio. Empty: Attio accounts cannot be connected by OAuth.',
  })
  readonly attioClientId!: string;

  @FromEnv('ATTIO_CLIENT_SECRET', text, {
    default: '',
    about: 'Client secret of your OAuth app at Attio.',
    secret: true,
  })
  readonly attioClientSecret!: string;

  @FromEnv('ATTIO_AUTH_URL', url('http', 'https'), {
    default: 'https://app.attio.com/authorize',
    about: 'Authorization endpoint of Attio; change it for tests only.',
  })
  readonly attioAuthUrl!: string;

  @FromEnv('ATTIO_TOKEN_URL', url('http', 'https'), {
    default: 'https://app.attio.com/oauth/token',
    about: 'Token endpoint of Attio; change it for tests only.',
  })
  readonly attioTokenUrl!: string;

  @FromEnv('ATTIO_API_URL', url('http', 'https'), {
    default: 'https://api.attio.com',
    about: 'Base URL of the Attio API; change it for tests only.',
  })
  readonly attioApiUrl!: string;
}
