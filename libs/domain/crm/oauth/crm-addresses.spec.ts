import { CrmModule, CrmPort } from '@adapters/crm';
import { Test } from '@nestjs/testing';
import { ClockModule } from '@platform/clock';
import { Config, ConfigModule, loadConfig } from '@platform/config';
import { AppError } from '@platform/errors';
import { OAuthClient } from '@platform/oauth';
import { ObservabilityModule } from '@platform/observability';
import { OutboundHttpClient } from '@platform/outbound';
import { FakeClock } from '@testing';
import { getAuthUrl, getGrantedBaseUrl, getKeyBaseUrl, getLoginSite, getTokenUrl } from './crm-addresses';
import { requireConsentVendor, toOAuthVendor } from './crm-vendors';

const config = loadConfig({
  MONGODB_URI: 'mongodb://localhost/x',
  REDIS_URL: 'redis://localhost',
  SECRET_KEYS: 'k1:AAAA',
  PUBLIC_URL: 'https://mail.example/',
  ...Object.fromEntries(['SALESFORCE', 'ZOHO', 'PIPEDRIVE', 'ATTIO'].map((name) => [`${name}_CLIENT_ID`, 'client-1'])),
});
let crms: CrmPort;
const vendor = (type: 'salesforce' | 'zoho' | 'pipedrive' | 'attio') => requireConsentVendor(config, crms.driver(type));

beforeAll(async () => {
  const module = await Test.createTestingModule({
    imports: [ConfigModule, ClockModule, ObservabilityModule.forRoot('test', '0'), CrmModule],
  })
    .overrideProvider(Config)
    .useValue(config)
    .compile();
  crms = module.get(CrmPort);
});

const refused = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return 'taken';
};
/** Hosts that resemble the vendor's hosts. */
const HOSTILE = [
  'https://evil.example',
  'https://salesforce.com.evil.example',
  'https://evilsalesforce.com',
  'https://accounts.zoho.eu.evil.example',
  'http://acme.my.salesforce.com',
  'http://accounts.zoho.eu',
  'https://acme.my.salesforce.com:8443',
  'https://me:pw@accounts.zoho.eu',
  'https://127.0.0.1',
  'javascript:alert(1)',
  '',
];

describe('addresses of vendors', () => {
  it.each([
    ['https://acme.my.salesforce.com', 'https://acme.my.salesforce.com'],
    ['https://acme--dev.sandbox.my.salesforce.com/some/path?x=1', 'https://acme--dev.sandbox.my.salesforce.com'],
    ['https://test.salesforce.com', 'https://test.salesforce.com'],
  ])('accept the login host of an organisation: %s', (given, site) => {
    expect(getLoginSite(vendor('salesforce'), given)).toBe(site);
    expect(getAuthUrl(vendor('salesforce'), site)).toBe(`${site}/services/oauth2/authorize`);
    expect(getTokenUrl(vendor('salesforce'), site, {})).toBe(`${site}/services/oauth2/token`);
  });

  it.each(HOSTILE)('refuse any other host: %s', (given) => {
    expect(refused(() => getLoginSite(vendor('salesforce'), given))).toBe('VALIDATION_ERROR');
    expect(refused(() => getKeyBaseUrl(vendor('pipedrive'), given))).toBe('VALIDATION_ERROR');
    expect(refused(() => getGrantedBaseUrl(vendor('salesforce'), { instance_url: given }))).toBe(
      'INTEGRATION_CONSENT_FAILED',
    );
    expect(refused(() => getTokenUrl(vendor('zoho'), null, { 'accounts-server': given }))).toBe(
      'INTEGRATION_CONSENT_FAILED',
    );
  });

  it('of a data centre are accepted when they belong to the vendor', () => {
    expect(getTokenUrl(vendor('zoho'), null, { 'accounts-server': 'https://accounts.zoho.eu' })).toBe(
      'https://accounts.zoho.eu/oauth/v2/token',
    );
    expect(getTokenUrl(vendor('zoho'), null, {})).toBe('https://accounts.zoho.com/oauth/v2/token');
    expect(
      refused(() => getTokenUrl(vendor('zoho'), null, { 'accounts-server': ['https://accounts.zoho.eu'] })),
    ).not.toBe('taken');
    expect(getGrantedBaseUrl(vendor('zoho'), { api_domain: 'https://www.zohoapis.eu' })).toBe(
      'https://www.zohoapis.eu',
    );
  });

  it('default to the usual host when the vendor names none', () => {
    expect(getGrantedBaseUrl(vendor('attio'), { instance_url: 'https://evil.example' })).toBe('https://api.attio.com');
    expect(getGrantedBaseUrl(vendor('pipedrive'), {})).toBe('https://api.pipedrive.com');
    expect(getKeyBaseUrl(vendor('pipedrive'), undefined)).toBe('https://api.pipedrive.com');
    expect(getKeyBaseUrl(vendor('pipedrive'), 'https://acme.pipedrive.com/')).toBe('https://acme.pipedrive.com');
    expect(refused(() => getKeyBaseUrl(vendor('attio'), 'https://api.attio.com'))).toBe('VALIDATION_ERROR');
    expect(refused(() => getLoginSite(vendor('zoho'), 'https://accounts.zoho.eu'))).toBe('VALIDATION_ERROR');
  });

  it('set by the operator are accepted', () => {
    const own = { ...vendor('salesforce'), apiUrl: 'http://127.0.0.1:9999' };
    expect(getGrantedBaseUrl(own, { instance_url: 'http://127.0.0.1:9999/x' })).toBe('http://127.0.0.1:9999');
    expect(refused(() => getGrantedBaseUrl(own, { instance_url: 'http://127.0.0.1:9998' }))).toBe(
      'INTEGRATION_CONSENT_FAILED',
    );
  });
});

describe('the consent URL', () => {
  const secrets = { state: 'the-state', challenge: 'the-challenge' };
  const asked = async (type: 'salesforce' | 'zoho' | 'attio') => {
    const client = new OAuthClient(new OutboundHttpClient({ allowPrivate: false }), new FakeClock());
    const url = await client.createAuthUrl(toOAuthVendor(vendor(type), {}), secrets);
    return Object.fromEntries(new URL(url).searchParams);
  };

  it('contains the documented parameters of the vendor, with a proof key where the vendor supports it', async () => {
    expect(await asked('salesforce')).toEqual({
      client_id: 'client-1',
      redirect_uri: 'https://mail.example/oauth/crm/salesforce/callback',
      response_type: 'code',
      state: 'the-state',
      scope: 'api refresh_token',
      code_challenge: 'the-challenge',
      code_challenge_method: 'S256',
    });
    expect(await asked('zoho')).toMatchObject({
      access_type: 'offline',
      prompt: 'consent',
      scope: expect.stringContaining(',') as string,
    });
    expect(await asked('attio')).not.toHaveProperty('scope');
    expect(await asked('attio')).not.toHaveProperty('code_challenge');
  });

  it('requires a client that the operator has registered', () => {
    expect(refused(() => requireConsentVendor(config, { type: 'close', consent: vendor('attio').consent }))).toBe(
      'INTEGRATION_OAUTH_NOT_CONFIGURED',
    );
  });
});
