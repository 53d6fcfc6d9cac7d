import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { OAuthServer } from '../../libs/domain/mailboxes/testing';
import { expectFormA, expectFormB, type Platform, startPlatform } from '../harness';
import { OAuthConsents } from './oauth';

let serial = 0;
const address = (): string => `grace-${(serial += 1)}@mail.test`;

describe('the connection of a mailbox by consent', () => {
  let platform: Platform;
  let server: OAuthServer;
  let mine: OAuthConsents;

  beforeAll(async () => {
    server = await OAuthServer.start();
    platform = await startPlatform({ env: server.env });
    mine = new OAuthConsents(platform, server, await platform.seed.workspace());
  });
  afterAll(async () => {
    await platform.close();
    await server.close();
  });

  const eventsOf = async (mailboxId: string): Promise<string[]> => {
    const events = platform.app.get<Connection>(getConnectionToken()).db!.collection('events');
    const found = await events
      .find({ mailboxId: new Types.ObjectId(mailboxId) })
      .sort({ _id: 1 })
      .toArray();
    return found.map(({ type }) => String(type));
  };

  it.each(['google', 'microsoft'] as const)(
    'runs from the API to %s and back to a connected mailbox',
    async (vendor) => {
      const account = server.account(vendor, address());
      const { started, response, session } = await mine.connect(account, { displayName: 'Grace' });

      expect(started).toEqual({
        _id: expect.stringMatching(/^[0-9a-f]{24}$/) as unknown,
        provider: vendor,
        authUrl: expect.stringContaining('code_challenge_method=S256') as unknown,
        status: 'pending',
        expiresAt: expect.stringMatching(/Z$/) as unknown,
      });
      expect(response.status).toBe(200);
      expect(response.text).toContain(`<p>${account.address}</p>`);
      expect(session).toEqual({
        _id: started._id,
        provider: vendor,
        status: 'completed',
        mailboxId: expect.stringMatching(/^[0-9a-f]{24}$/) as unknown,
        error: null,
        expiresAt: started.expiresAt,
        createdAt: expect.stringMatching(/Z$/) as unknown,
      });
      expect(await mine.mailbox(session.mailboxId)).toMatchObject({
        email: account.address,
        displayName: 'Grace',
        provider: vendor,
        connectionType: 'oauth',
        status: 'active',
        lastError: null,
      });
      expect(await eventsOf(session.mailboxId!)).toEqual(['mailbox.connected']);
    },
  );

  it('requests the necessary scopes and parameters', async () => {
    const parametersOf = async (provider: string, body: object = {}) =>
      Object.fromEntries(new URL((await mine.start(provider, body)).authUrl).searchParams);
    expect(await parametersOf('google', { loginHint: 'Grace@Example.com' })).toEqual({
      client_id: 'client-1',
      redirect_uri: 'http://localhost:3000/oauth/google/callback',
      response_type: 'code',
      scope: 'https://mail.google.com/',
      state: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as unknown,
      code_challenge_method: 'S256',
      access_type: 'offline',
      prompt: 'consent',
      login_hint: 'grace@example.com',
    });
    const microsoft = await parametersOf('microsoft');
    expect(microsoft).toMatchObject({
      redirect_uri: 'http://localhost:3000/oauth/microsoft/callback',
      scope: 'offline_access User.Read Mail.ReadWrite Mail.Send',
      response_mode: 'query',
    });
    expect(microsoft).not.toHaveProperty('login_hint');
  });

  it('shows a page that runs no script, loads nothing and is not cached', async () => {
    const { response } = await mine.connect(server.account('google', address()));
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.headers['content-security-policy']).toContain("default-src 'none'");
    expect(response.headers['referrer-policy']).toBe('no-referrer');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.text).not.toMatch(/<script|<style|<a |src=|code=|state=/);
  });

  it('redirects the browser to the caller’s address', async () => {
    const redirectUrl = 'https://app.example.com/mailboxes?tab=1';
    const { response, started } = await mine.connect(server.account('google', address()), { redirectUrl });
    expect(response.status).toBe(303);
    expect(response.headers['location']).toBe(`${redirectUrl}&session=${started._id}&status=completed`);
    expect(response.headers['referrer-policy']).toBe('no-referrer');
    const denied = await mine.connect(server.account('google', address()), { redirectUrl }, { deny: true });
    expect(denied.response.headers['location']).toBe(`${redirectUrl}&session=${denied.started._id}&status=failed`);
  });

  it('authorises an address of the same provider again instead of connecting it twice', async () => {
    const account = server.account('google', address());
    const { session: first } = await mine.connect(account);
    const { session: second } = await mine.connect(account);
    expect(second).toMatchObject({ status: 'completed', mailboxId: first.mailboxId });
    const id = first.mailboxId!;
    expect(await eventsOf(id)).toEqual(['mailbox.connected']);
    const { body } = await mine.api.get(`/v1/audit?targetId=${id}`).expect(200);
    expect((body as { data: { action: string }[] }).data.map(({ action }) => action)).toEqual([
      'mailbox.reauthorised',
      'mailbox.created',
    ]);
  });

  it('authorises the mailbox for which it was started, and suggests its address at the vendor', async () => {
    const account = server.account('microsoft', address());
    const { session } = await mine.connect(account);
    const again = await mine.connect(account, { mailboxId: session.mailboxId });
    expect(new URL(again.started.authUrl).searchParams.get('login_hint')).toBe(account.address);
    expect(again.session).toMatchObject({ status: 'completed', mailboxId: session.mailboxId });
  });

  it('fails when another person consents for a mailbox', async () => {
    const account = server.account('google', address());
    const other = server.account('google', address());
    const { session } = await mine.connect(account);
    const wrong = await mine.connect(other, { mailboxId: session.mailboxId });
    expect(wrong.session).toMatchObject({ status: 'failed', error: { code: 'OAUTH_WRONG_ACCOUNT' } });
    const { body } = await mine.api.get(`/v1/mailboxes?search=${other.address}`).expect(200);
    expect((body as { data: unknown[] }).data).toEqual([]);
  });

  it('fails for an address that is connected through another provider', async () => {
    const shared = address();
    await mine.connect(server.account('google', shared));
    const { session } = await mine.connect(server.account('microsoft', shared));
    expect(session).toMatchObject({ status: 'failed', error: { code: 'CONFLICT' } });
  });

  it('fails when the workspace has reached its mailbox limit', async () => {
    const full = new OAuthConsents(platform, server, await platform.seed.workspace());
    const workspaces = platform.app.get<Connection>(getConnectionToken()).db!.collection('workspaces');
    const _id = new Types.ObjectId(full.workspace.workspaceId);
    await workspaces.updateOne({ _id }, { $set: { 'limits.maxMailboxes': 1 } });
    const account = server.account('google', address());
    expect((await full.connect(account)).session.status).toBe('completed');
    const { session } = await full.connect(server.account('google', address()));
    expect(session).toMatchObject({ status: 'failed', mailboxId: null, error: { code: 'LIMIT_EXCEEDED' } });
    expect((await full.connect(account)).session.status).toBe('completed');
  });

  it('connects the same address in two workspaces', async () => {
    const theirs = new OAuthConsents(platform, server, await platform.seed.workspace());
    const account = server.account('google', address());
    const [{ session: first }, { session: second }] = [await mine.connect(account), await theirs.connect(account)];
    expect(first.mailboxId).not.toBe(second.mailboxId);
  });

  it.each([
    ['refused', { deny: true }, 'OAUTH_DENIED'],
    ['granted too few scopes', { scopes: ['openid'] }, 'OAUTH_CONSENT_INCOMPLETE'],
    ['granted no offline access', { lasting: false }, 'OAUTH_CONSENT_INCOMPLETE'],
  ])('fails when the person %s', async (_name, consent, code) => {
    const account = server.account('google', address());
    const { response, session } = await mine.connect(account, {}, consent);
    expect(response.status).toBe(200);
    expect(response.text).toContain('The mailbox was not connected');
    expect(session).toMatchObject({ status: 'failed', mailboxId: null, error: { code } });
  });

  it('fails when the token server fails or the mailbox cannot be opened', async () => {
    server.trouble({ status: 503 });
    expect((await mine.connect(server.account('google', address()))).session).toMatchObject({
      status: 'failed',
      error: { code: 'OAUTH_FAILED' },
    });
    server.trouble({ status: 200, body: { access_token: 'opens-nothing', refresh_token: 'x', expires_in: 3600 } });
    expect((await mine.connect(server.account('google', address()))).session).toMatchObject({ status: 'failed' });
  });

  it('rejects a return without an issued state', async () => {
    for (const query of ['', '?code=x', '?state=x&code=x', '?state=a&state=b', '?error=access_denied']) {
      const response = await mine.back(`/oauth/google/callback${query}`);
      expect(response.status).toBe(400);
      expect(response.text).toContain('This link is no longer valid');
    }
    expectFormB(await mine.back('/oauth/yahoo/callback?state=x'), 404, 'NOT_FOUND');
  });

  it('requires no key on return, and ignores an empty one', async () => {
    const response = await platform.api.get('/oauth/google/callback?state=x').set('X-Api-Key', '');
    expect(response.status).toBe(400);
    expect(response.text).toContain('This link is no longer valid');
  });

  it('accepts one return, in time, from the right vendor', async () => {
    const account = server.account('google', address());
    const { path } = await mine.connect(account);
    const asked = server.requests.length;
    expect((await mine.back(path)).status).toBe(400);

    const crossed = await mine.start('google');
    const crossing = await server.consent(crossed.authUrl, { as: account });
    expect((await mine.back(crossing.replace('/google/', '/microsoft/'))).status).toBe(400);

    const late = await mine.start('google');
    const lateBack = await server.consent(late.authUrl, { as: account });
    platform.clock.advance(10 * 60_000 + 1);
    expect((await mine.back(lateBack)).status).toBe(400);
    expect(await mine.session(late._id)).toMatchObject({ status: 'expired', mailboxId: null });
    expect(server.requests).toHaveLength(asked);
  });

  it('accepts one of two parallel returns', async () => {
    const account = server.account('google', address());
    const { authUrl, _id } = await mine.start('google');
    const path = await server.consent(authUrl, { as: account });
    const statuses = await Promise.all(
      [mine.back(path), mine.back(path), mine.back(path)].map(async (r) => (await r).status),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    expect((await mine.session(_id)).status).toBe('completed');
  });

  it('repeats no text of the request on its page', async () => {
    for (const error of ['<script>alert(1)</script>', 'server_error"><img src=x>']) {
      const { authUrl, _id } = await mine.start('google');
      const state = new URL(authUrl).searchParams.get('state');
      const response = await mine.back(`/oauth/google/callback?state=${state}&error=${encodeURIComponent(error)}`);
      expect(response.text).not.toMatch(/script>|<img/);
      expect((await mine.session(_id)).error?.code).toBe('OAUTH_FAILED');
    }
    const account = server.account('google', "o'brien&lt@mail.test");
    expect((await mine.connect(account)).response.text).toContain('o&#39;brien&amp;lt@mail.test');
    expect((await mine.connect(server.account('google', "o'<b>brien@mail.test"))).response.text).not.toContain('<b>');
  });

  it('shows a session to its own workspace only', async () => {
    const { _id } = await mine.start('google');
    const other = platform.api.as((await platform.seed.workspace()).key);
    expectFormB(await other.get(`/v1/mailboxes/oauth/sessions/${_id}`), 404, 'NOT_FOUND');
    expectFormB(await mine.api.get('/v1/mailboxes/oauth/sessions/nothing'), 404, 'NOT_FOUND');
    expectFormA(await platform.api.get(`/v1/mailboxes/oauth/sessions/${_id}`), 401);
  });

  it.each([
    'http://app.example.com/',
    'https://user@app.example.com/',
    'https://user:password@app.example.com/',
    'javascript:alert(1)',
    'ftp://localhost/',
    '//app.example.com/',
    '/mailboxes',
    'http://localhost.example.com/',
    'http://127.0.0.1.example.com/',
    'not a url',
    'http://localhost:1/\r\nX: y',
    'https://app.example.com/a\tb',
    'https://app.example.com/a b',
    `https://app.example.com/${'x'.repeat(2_000)}`,
  ])('refuses to redirect to %s', async (redirectUrl) => {
    expectFormB(
      await mine.api.post('/v1/mailboxes/oauth/google').send({ redirectUrl }),
      400,
      'VALIDATION_ERROR',
      'redirectUrl',
    );
  });

  it.each(['https://app.example.com/', 'http://localhost:8080/x', 'http://127.0.0.1:5173/', 'http://[::1]/'])(
    'may redirect to %s',
    async (redirectUrl) => {
      await mine.start('google', { redirectUrl });
    },
  );

  it('starts for known providers and their mailboxes only', async () => {
    expectFormB(await mine.api.post('/v1/mailboxes/oauth/yahoo').send({}), 404, 'NOT_FOUND');
    const start = (mailboxId: string) => mine.api.post('/v1/mailboxes/oauth/google').send({ mailboxId });
    expectFormB(await start('nothing'), 404, 'NOT_FOUND');
    const theirs = new OAuthConsents(platform, server, await platform.seed.workspace());
    const { session } = await theirs.connect(server.account('google', address()));
    expectFormB(await start(session.mailboxId!), 404, 'NOT_FOUND');
    const { session: microsoft } = await mine.connect(server.account('microsoft', address()));
    expectFormB(await start(microsoft.mailboxId!), 400, 'VALIDATION_ERROR', 'mailboxId');
    expectFormB(
      await mine.api.post('/v1/mailboxes/oauth/google').send({ state: 'x' }),
      400,
      'VALIDATION_ERROR',
      'state',
    );
  });

  it('requires a key that may write', async () => {
    const reader = await platform.seed.workspaceKey(mine.workspace.workspaceId, ['read']);
    expectFormA(await platform.api.as(reader).post('/v1/mailboxes/oauth/google').send({}), 403);
  });
});

describe('an installation without OAuth clients', () => {
  it('reports that the provider is not configured', async () => {
    const server = await OAuthServer.start();
    const platform = await startPlatform({ env: { ...server.env, MICROSOFT_CLIENT_ID: '' } });
    const mine = new OAuthConsents(platform, server, await platform.seed.workspace());
    expectFormB(await mine.api.post('/v1/mailboxes/oauth/microsoft').send({}), 422, 'OAUTH_NOT_CONFIGURED');
    expect((await mine.start('google')).status).toBe('pending');
    await platform.close();
    await server.close();
  });
});
