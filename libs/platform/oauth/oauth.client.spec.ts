import { OutboundError, type OutboundHttpClient, type OutboundRequest } from '@platform/outbound';
import { FakeClock } from '@testing';
import { type Grant, OAuthClient } from './oauth.client';
import { isGrantRevoked, OAuthError } from './oauth.errors';
import { type OAuthVendor } from './oauth-vendor';

const NOW = new Date('2026-11-21T08:00:00.000Z');

const VENDOR: OAuthVendor = {
  clientId: 'client 1',
  clientSecret: 'secret:1',
  authUrl: 'https://vendor.example/authorize?tenant=1',
  tokenUrl: 'https://vendor.example/token',
  redirectUri: 'https://mail.example/oauth/vendor/callback',
  scopes: ['one', 'two'],
  scopeSeparator: ' ',
  authParameters: {},
  clientAuth: 'body',
  hasProofKey: true,
  defaultLifeSeconds: 300,
};

/** A vendor that answers every request in the same way. */
function clientOf(answer: { status?: number; body?: unknown; headers?: Record<string, string> } | Error) {
  const requests: OutboundRequest[] = [];
  const clock = new FakeClock();
  clock.freeze(NOW);
  const http: Pick<OutboundHttpClient, 'request'> = {
    request: async (request) => {
      requests.push(request);
      if (answer instanceof Error) throw answer;
      const { status = 200, body = { access_token: 'a' }, headers = {} } = answer;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return { status, headers, body: Buffer.from(text), truncated: false, incomplete: false, url: request.url };
    },
  };
  const client = new OAuthClient(http as OutboundHttpClient, clock);
  const form = () => Object.fromEntries(new URLSearchParams(String(requests[0]?.body)));
  return { client, requests, form };
}

const decodeForm = (text: string) => new URLSearchParams(`=${text}`).get('');

const granted = (body: unknown): Promise<Grant> => clientOf({ body }).client.refresh(VENDOR, 'r');

async function refusalOf(...[status, body, headers]: [number, unknown, Record<string, string>?]): Promise<OAuthError> {
  const error: unknown = await clientOf({ status, body, ...(headers && { headers }) })
    .client.refresh(VENDOR, 'r')
    .catch((thrown: unknown) => thrown);
  if (error instanceof OAuthError) return error;
  throw new Error(`Not refused: ${String(error)}`);
}

describe('the consent address', () => {
  const secrets = { state: 'the state', challenge: 'the-challenge' };
  const consentParameters = async (vendor: Partial<OAuthVendor>, parameters?: Record<string, string>) => {
    const url = await clientOf({}).client.createAuthUrl({ ...VENDOR, ...vendor }, secrets, parameters);
    return Object.fromEntries(new URL(url).searchParams);
  };

  it('has the parameters of the protocol, and keeps those of the configured address', async () => {
    expect(await consentParameters({})).toEqual({
      tenant: '1',
      client_id: 'client 1',
      redirect_uri: 'https://mail.example/oauth/vendor/callback',
      response_type: 'code',
      scope: 'one two',
      state: 'the state',
      code_challenge: 'the-challenge',
      code_challenge_method: 'S256',
    });
  });

  it('follows the vendor: separator, own parameters, no scopes, no proof key', async () => {
    const quirks = { scopeSeparator: ',', authParameters: { access_type: 'offline' }, hasProofKey: false } as const;
    const url = await consentParameters(quirks, { login_hint: 'ada@mail.test' });
    expect(url).toMatchObject({ scope: 'one,two', access_type: 'offline', login_hint: 'ada@mail.test' });
    expect(url).not.toHaveProperty('code_challenge');
    expect(await consentParameters({ scopes: [] })).not.toHaveProperty('scope');
  });

  it('is made without a request', async () => {
    const { client, requests } = clientOf({});
    await client.createAuthUrl(VENDOR, secrets);
    expect(requests).toEqual([]);
  });
});

describe('a token request', () => {
  const code = { code: 'the code', verifier: 'v'.repeat(43) };

  it('exchanges a code with its proof key, the redirect URI and the secret in the body', async () => {
    const { client, form, requests } = clientOf({});
    await client.exchange(VENDOR, code);
    expect(form()).toEqual({
      grant_type: 'authorization_code',
      code: 'the code',
      redirect_uri: VENDOR.redirectUri,
      code_verifier: code.verifier,
      client_id: 'client 1',
      client_secret: 'secret:1',
    });
    expect(requests[0]).toMatchObject({ url: VENDOR.tokenUrl, method: 'POST', timeoutMs: 10_000 });
    expect(requests[0]?.headers).toEqual({
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
    });
    expect(requests[0]?.followRedirects).toBeUndefined();
  });

  it('leaves the proof key to vendors that know it', async () => {
    const { client, form } = clientOf({});
    await client.exchange({ ...VENDOR, hasProofKey: false }, code);
    expect(form()).not.toHaveProperty('code_verifier');
  });

  it('sends the secret in the header where the vendor wants it there', async () => {
    const { client, form, requests } = clientOf({});
    await client.refresh({ ...VENDOR, clientAuth: 'basic' }, 'r');
    expect(form()).toEqual({ grant_type: 'refresh_token', refresh_token: 'r' });
    const [scheme, credentials = ''] = requests[0]!.headers!['authorization']!.split(' ');
    expect(scheme).toBe('Basic');
    expect(Buffer.from(credentials, 'base64').toString().split(':').map(decodeForm)).toEqual(['client 1', 'secret:1']);
  });

  it('sends an assertion alone', async () => {
    const { client, form } = clientOf({});
    await client.exchangeAssertion(VENDOR, { issuer: 'robot', assertion: 'signed' });
    expect(form()).toEqual({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: 'signed' });
  });

  it('goes to plain http where the settings say so', async () => {
    const { client, requests } = clientOf({});
    await client.refresh({ ...VENDOR, tokenUrl: 'http://127.0.0.1:1/token' }, 'r');
    expect(requests[0]?.url).toBe('http://127.0.0.1:1/token');
  });
});

describe('the response of a token server', () => {
  it('contains tokens, scopes and further values of the vendor', async () => {
    const body = { access_token: 'a', refresh_token: 'r', expires_in: 3599, scope: 'one  two', api_domain: 'x' };
    expect(await granted(body)).toEqual({
      accessToken: 'a',
      refreshToken: 'r',
      scopes: ['one', 'two'],
      expiresAt: new Date('2026-11-21T08:59:59.000Z'),
      answer: expect.objectContaining({ api_domain: 'x' }) as unknown,
    });
  });

  it.each([
    [undefined, 300],
    ['3600', 3_600],
    [0, 0],
    [-5, 0],
    [1e12, 86_400],
    ['soon', 300],
    [null, 300],
  ])('with expires_in %j has a lifetime of %i seconds', async (expires, seconds) => {
    const { expiresAt } = await granted({ access_token: 'a', expires_in: expires });
    expect((expiresAt.getTime() - NOW.getTime()) / 1000).toBe(seconds);
  });

  it.each([
    ['base,contacts:full', ['base', 'contacts:full']],
    ['', []],
    [undefined, null],
    [5, null],
  ])('with the scopes %j has %j', async (scope, scopes) => {
    expect((await granted({ access_token: 'a', scope })).scopes).toEqual(scopes);
  });

  it.each([
    [{ refresh_token: '' }],
    [{ refresh_token: null }],
    [{ token_type: 'bot', ok: true }],
    [{ token_type: 'BEARER' }],
    [{ id_token: 'of another issuer' }],
  ])('may deviate from the RFC: %j', async (body) => {
    expect(await granted({ access_token: 'a', ...body })).toMatchObject({ accessToken: 'a', refreshToken: null });
  });

  it.each([
    [400, { error: 'invalid_grant', error_description: 'gone' }, true, 'invalid_grant'],
    [401, { error: 'invalid_client' }, false, 'invalid_client'],
    [500, { error: 'invalid_grant' }, false, 'invalid_grant'],
    [429, { error: 'invalid_grant' }, false, 'invalid_grant'],
    [400, { status: 'BAD_REFRESH_TOKEN' }, true, 'BAD_REFRESH_TOKEN'],
    [400, { error: 'inactive_user' }, true, 'inactive_user'],
    [400, 'not JSON', false, null],
    [302, '', false, null],
    [304, '', false, null],
    [201, { access_token: 'a' }, false, null],
    [200, { ok: false, error: 'invalid_code' }, true, 'invalid_code'],
    [200, [], false, null],
    [200, 'null', false, null],
    [200, { access_token: '' }, false, null],
    [200, { access_token: 5 }, false, null],
    [200, { access_token: 'a', token_type: 'mac' }, false, null],
  ])('with %i %j is a refusal, permanent: %j', async (status, body, isRevoked, code) => {
    expect(await refusalOf(status, body)).toMatchObject({ status, isRevoked, code });
  });

  it('is not taken for a challenge of HTTP', async () => {
    const headers = { 'www-authenticate': 'Basic realm="vendor"' };
    expect(await refusalOf(401, { error: 'invalid_client' }, headers)).toMatchObject({ code: 'invalid_client' });
  });

  it.each([
    ['30', 30_000],
    ['Wed, 21 Oct 2026 07:28:00 GMT', null],
    ['-1', null],
  ])('reads Retry-After %s', async (header, retryAfterMs) => {
    expect(await refusalOf(429, {}, { 'retry-after': header })).toMatchObject({ retryAfterMs });
  });

  it.each(['{"access_token":"canary', { error: 'canary\n<script>' }])(
    'is not repeated in the error: %j',
    async (body) => {
      const { message, stack } = await refusalOf(400, body);
      expect(message + stack).not.toContain('canary');
    },
  );

  it('shows by its code whether a person must act', () => {
    expect(['invalid_grant', 'consent_required', 'unauthorized_client'].every(isGrantRevoked)).toBe(true);
    expect(isGrantRevoked('invalid_client') || isGrantRevoked(null)).toBe(false);
  });
});

describe('a token server without a response', () => {
  it('is a refusal without a status', async () => {
    const failure = new OutboundError('timeout', 'No answer within 10 s', { retry: true });
    const failed = clientOf(failure).client.refresh(VENDOR, 'r');
    await expect(failed).rejects.toMatchObject({
      status: null,
      isRevoked: false,
      message: failure.message,
      cause: failure,
    });
  });

  it('passes every other error on', async () => {
    await expect(clientOf(new TypeError('a fault')).client.refresh(VENDOR, 'r')).rejects.not.toBeInstanceOf(OAuthError);
  });
});
