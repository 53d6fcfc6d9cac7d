import { CoreConfig } from './config.core';
import { FromEnv, text, url } from './variable';

/** CRMs: the operator's OAuth client at each vendor, and where the vendor is. */
export class CrmConfig extends CoreConfig {
  @FromEnv('HUBSPOT_CLIENT_ID', text, {
    default: '',
    about: 'Your public app at HubSpot; empty means that accounts there cannot be connected by consent.',
  })
  readonly hubspotClientId!: string;

  @FromEnv('HUBSPOT_CLIENT_SECRET', text, { default: '', about: 'Secret of that client.', secret: true })
  readonly hubspotClientSecret!: string;

  @FromEnv('HUBSPOT_AUTH_URL', url('http', 'https'), {
    default: 'https://app.hubspot.com/oauth/authorize',
    about: 'Where people consent to HubSpot; for tests.',
  })
  readonly hubspotAuthUrl!: string;

  @FromEnv('HUBSPOT_TOKEN_URL', url('http', 'https'), {
    default: 'https://api.hubapi.com/oauth/v1/token',
    about: 'Where codes and refresh tokens of HubSpot are exchanged; for tests.',
  })
  readonly hubspotTokenUrl!: string;

  @FromEnv('HUBSPOT_API_URL', url('http', 'https'), {
    default: 'https://api.hubapi.com',
    about: 'HubSpot API; for tests.',
  })
  readonly hubspotApiUrl!: string;

  @FromEnv('SALESFORCE_CLIENT_ID', text, {
    default: '',
    about: 'Your connected app at Salesforce; empty means that accounts there cannot be connected by consent.',
  })
  readonly salesforceClientId!: string;

  @FromEnv('SALESFORCE_CLIENT_SECRET', text, { default: '', about: 'Secret of that client.', secret: true })
  readonly salesforceClientSecret!: string;

  @FromEnv('SALESFORCE_AUTH_URL', url('http', 'https'), {
    default: 'https://login.salesforce.com/services/oauth2/authorize',
    about: 'Where people consent to Salesforce; for tests.',
  })
  readonly salesforceAuthUrl!: string;

  @FromEnv('SALESFORCE_TOKEN_URL', url('http', 'https'), {
    default: 'https://login.salesforce.com/services/oauth2/token',
    about: 'Where codes and refresh tokens of Salesforce are exchanged; for tests.',
  })
  readonly salesforceTokenUrl!: string;

  @FromEnv('SALESFORCE_API_URL', url('http', 'https'), {
    default: 'https://login.salesforce.com',
    about: 'Salesforce API of accounts whose consent names no address of their own; for tests.',
  })
  readonly salesforceApiUrl!: string;

  @FromEnv('PIPEDRIVE_CLIENT_ID', text, {
    default: '',
    about: 'Your app at Pipedrive; empty means that accounts there cannot be connected by consent.',
  })
  readonly pipedriveClientId!: string;

  @FromEnv('PIPEDRIVE_CLIENT_SECRET', text, { default: '', about: 'Secret of that client.', secret: true })
  readonly pipedriveClientSecret!: string;

  @FromEnv('PIPEDRIVE_AUTH_URL', url('http', 'https'), {
    default: 'https://oauth.pipedrive.com/oauth/authorize',
    about: 'Where people consent to Pipedrive; for tests.',
  })
  readonly pipedriveAuthUrl!: string;

  @FromEnv('PIPEDRIVE_TOKEN_URL', url('http', 'https'), {
    default: 'https://oauth.pipedrive.com/oauth/token',
    about: 'Where codes and refresh tokens of Pipedrive are exchanged; for tests.',
  })
  readonly pipedriveTokenUrl!: string;

  @FromEnv('PIPEDRIVE_API_URL', url('http', 'https'), {
    default: 'https://api.pipedrive.com',
    about: 'Pipedrive API for keys that are given without the account’s own address; for tests.',
  })
  readonly pipedriveApiUrl!: string;

  @FromEnv('ZOHO_CLIENT_ID', text, {
    default: '',
    about: 'Your client at Zoho; empty means that accounts there cannot be connected by consent.',
  })
  readonly zohoClientId!: string;

  @FromEnv('ZOHO_CLIENT_SECRET', text, { default: '', about: 'Secret of that client.', secret: true })
  readonly zohoClientSecret!: string;

  @FromEnv('ZOHO_AUTH_URL', url('http', 'https'), {
    default: 'https://accounts.zoho.com/oauth/v2/auth',
    about: 'Where people consent to Zoho; for tests.',
  })
  readonly zohoAuthUrl!: string;

  @FromEnv('ZOHO_TOKEN_URL', url('http', 'https'), {
    default: 'https://accounts.zoho.com/oauth/v2/token',
    about: 'Where codes and refresh tokens of Zoho are exchanged; for tests.',
  })
  readonly zohoTokenUrl!: string;

  @FromEnv('ZOHO_API_URL', url('http', 'https'), {
    default: 'https://www.zohoapis.com',
    about: 'Zoho API of accounts whose consent names no data centre of their own; for tests.',
  })
  readonly zohoApiUrl!: string;

  @FromEnv('CLOSE_CLIENT_ID', text, {
    default: '',
    about: 'Your OAuth app at Close; empty means that accounts there cannot be connected by consent.',
  })
  readonly closeClientId!: string;

  @FromEnv('CLOSE_CLIENT_SECRET', text, { default: '', about: 'Secret of that client.', secret: true })
  readonly closeClientSecret!: string;

  @FromEnv('CLOSE_AUTH_URL', url('http', 'https'), {
    default: 'https://app.close.com/oauth2/authorize/',
    about: 'Where people consent to Close; for tests.',
  })
  readonly closeAuthUrl!: string;

  @FromEnv('CLOSE_TOKEN_URL', url('http', 'https'), {
    default: 'https://api.close.com/oauth2/token/',
    about: 'Where codes and refresh tokens of Close are exchanged; for tests.',
  })
  readonly closeTokenUrl!: string;

  @FromEnv('CLOSE_API_URL', url('http', 'https'), {
    default: 'https://api.close.com',
    about: 'Close API; for tests.',
  })
  readonly closeApiUrl!: string;

  @FromEnv('ATTIO_CLIENT_ID', text, {
    default: '',
    about: 'Your app at Attio; empty means that accounts there cannot be connected by consent.',
  })
  readonly attioClientId!: string;

  @FromEnv('ATTIO_CLIENT_SECRET', text, { default: '', about: 'Secret of that client.', secret: true })
  readonly attioClientSecret!: string;

  @FromEnv('ATTIO_AUTH_URL', url('http', 'https'), {
    default: 'https://app.attio.com/authorize',
    about: 'Where people consent to Attio; for tests.',
  })
  readonly attioAuthUrl!: string;

  @FromEnv('ATTIO_TOKEN_URL', url('http', 'https'), {
    default: 'https://app.attio.com/oauth/token',
    about: 'Where codes and refresh tokens of Attio are exchanged; for tests.',
  })
  readonly attioTokenUrl!: string;

  @FromEnv('ATTIO_API_URL', url('http', 'https'), {
    default: 'https://api.attio.com',
    about: 'Attio API; for tests.',
  })
  readonly attioApiUrl!: string;
}
