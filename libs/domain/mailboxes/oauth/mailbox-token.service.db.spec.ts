import { MailError } from '@adapters/mail';
import { SecretBoxService } from '@platform/secrets';
import { eventually, type TestDatabase } from '@testing';
import { getMailboxSecretOwner } from '../mailbox-secrets';
import { OAuthFixture } from '../testing/oauth-fixture';
import { type VendorAccount } from '../testing/oauth-server';
import { MailboxTokenService, type TokenOwner } from './mailbox-token.service';

describe('access tokens', () => {
  let fixture: OAuthFixture;
  let processes: TestDatabase[];
  let account: VendorAccount;

  beforeAll(async () => {
    fixture = await OAuthFixture.open();
    processes = [fixture.first, await fixture.process(), await fixture.process(), await fixture.process()];
  });
  afterAll(() => fixture.close());

  beforeEach(() => {
    fixture.server.requests.length = 0;
    fixture.server.rotation = 'none';
    fixture.server.lifetimeSeconds = 3_599;
    account = fixture.account();
  });

  const tokens = (index = 0): MailboxTokenService => fixture.get(MailboxTokenService, processes[index]);
  const requestCount = (): number => fixture.server.requests.length;
  const opened = async (owner: TokenOwner, secret: 'refreshToken' | 'accessToken'): Promise<string> => {
    const { oauthCredentials } = await fixture.record(owner);
    return fixture
      .get(SecretBoxService)
      .open(oauthCredentials![secret]!, getMailboxSecretOwner(owner.workspaceId, owner.mailboxId, secret));
  };
  const failureOf = async (work: Promise<unknown>): Promise<MailError> => {
    const error: unknown = await work.then(
      () => 'it did not fail',
      (thrown: unknown) => thrown,
    );
    if (error instanceof MailError) return error;
    throw new Error(`Not a MailError: ${String(error)}`);
  };

  it('are requested once for twenty concurrent callers in four processes', async () => {
    fixture.server.rotation = 'strict';
    const owner = await fixture.mailbox(account);
    const release = fixture.server.hold();
    const callers = Array.from({ length: 20 }, (_, index) => tokens(index % 4).getToken(owner));
    await eventually('a request arrives', () => requestCount() > 0);
    release();
    const issued = new Set(await Promise.all(callers));
    expect(issued.size).toBe(1);
    expect(requestCount()).toBe(1);
    const [token] = [...issued];
    expect(account.tokens.has(token!)).toBe(true);
    expect(await opened(owner, 'accessToken')).toBe(token);
    expect(account.refreshTokens).toEqual(new Set([await opened(owner, 'refreshToken')]));
  });

  it('are renewed without a change of the mailbox’s `updatedAt`', async () => {
    const owner = await fixture.mailbox(account);
    const { updatedAt } = await fixture.record(owner);
    fixture.first.clock.advance(60_000);
    await tokens().getToken(owner);
    expect((await fixture.record(owner)).updatedAt).toEqual(updatedAt);
  });

  it('are not requested while the stored one is valid for another minute', async () => {
    const expiresIn = (ms: number) => ({ accessTokenExpiresAt: fixture.first.clock.in(ms) });
    const living = await fixture.mailbox(account, { accessToken: 'living', ...expiresIn(65_000) });
    expect(await tokens().getToken(living)).toBe('living');
    expect(requestCount()).toBe(0);
    const dying = await fixture.mailbox(fixture.account(), { accessToken: 'dying', ...expiresIn(55_000) });
    expect(await tokens().getToken(dying)).not.toBe('dying');
    expect(requestCount()).toBe(1);
  });

  it('expire when the vendor says, by the platform’s clock', async () => {
    fixture.server.lifetimeSeconds = 600;
    const owner = await fixture.mailbox(account);
    const first = await tokens().getToken(owner);
    fixture.first.clock.advance(530_000);
    expect(await tokens().getToken(owner)).toBe(first);
    fixture.first.clock.advance(20_000);
    expect(await tokens().getToken(owner)).not.toBe(first);
    expect(requestCount()).toBe(2);
  });

  it('that are valid for only seconds are used once each', async () => {
    fixture.server.lifetimeSeconds = 5;
    const owner = await fixture.mailbox(account);
    expect(await tokens().getToken(owner)).not.toBe(await tokens().getToken(owner));
  });

  it('that the vendor rejects are replaced, once for all callers that were rejected', async () => {
    const owner = await fixture.mailbox(account);
    const refused = await tokens().getToken(owner);
    const issued = await Promise.all(
      Array.from({ length: 12 }, (_, index) => tokens(index % 4).getToken(owner, refused)),
    );
    expect(new Set(issued).size).toBe(1);
    expect(issued[0]).not.toBe(refused);
    expect(requestCount()).toBe(2);
    expect(await tokens(3).getToken(owner, refused)).toBe(issued[0]);
    expect(requestCount()).toBe(2);
  });

  it('keep the refresh token if the vendor returns no new one', async () => {
    const owner = await fixture.mailbox(account);
    const before = await opened(owner, 'refreshToken');
    await tokens().getToken(owner);
    expect(await opened(owner, 'refreshToken')).toBe(before);
    expect((await fixture.record(owner)).oauthCredentials?.version).toBe(1);
  });

  it('of a revoked grant need a person to authorise again', async () => {
    const owner = await fixture.mailbox(account);
    account.refreshTokens.clear();
    const error = await failureOf(tokens().getToken(owner));
    expect(error).toMatchObject({ failure: 'needs-human', stage: 'login' });
    expect(error.lastReply).toMatchObject({ code: 'invalid_grant', response: 'Token has been expired or revoked.' });
    expect(requestCount()).toBe(1);
  });

  it('are not given up if another process has changed the refresh token meanwhile', async () => {
    const owner = await fixture.mailbox(account);
    account.refreshTokens.clear();
    const release = fixture.server.hold();
    const token = tokens().getToken(owner);
    await eventually('the request with the old token arrives', () => requestCount() === 1);
    const fresh = fixture.server.refreshTokenOf(account);
    const sealed = fixture
      .get(SecretBoxService)
      .seal(fresh, getMailboxSecretOwner(owner.workspaceId, owner.mailboxId, 'refreshToken'));
    await fixture.mailboxes.updateOne(
      { _id: owner.mailboxId, workspaceId: owner.workspaceId },
      { $set: { 'oauthCredentials.refreshToken': sealed }, $inc: { 'oauthCredentials.version': 1 } },
    );
    release();
    expect(account.tokens.has(await token)).toBe(true);
    expect(requestCount()).toBe(2);
  });

  it('never overwrite what a new consent stored during their request', async () => {
    const owner = await fixture.mailbox(account);
    const release = fixture.server.hold();
    fixture.server.rotation = 'lenient';
    const late = tokens().getToken(owner);
    await eventually('the request is pending', () => requestCount() === 1);
    const box = fixture.get(SecretBoxService);
    const seal = (text: string, secret: 'refreshToken' | 'accessToken') =>
      box.seal(text, getMailboxSecretOwner(owner.workspaceId, owner.mailboxId, secret));
    await fixture.mailboxes.updateOne(
      { _id: owner.mailboxId, workspaceId: owner.workspaceId },
      {
        $set: {
          'oauthCredentials.refreshToken': seal('newer-refresh', 'refreshToken'),
          'oauthCredentials.accessToken': seal('newer-access', 'accessToken'),
          'oauthCredentials.accessTokenExpiresAt': fixture.first.clock.in(600_000),
        },
        $inc: { 'oauthCredentials.version': 1 },
      },
    );
    release();
    expect(await late).toBe('newer-access');
    expect(await opened(owner, 'refreshToken')).toBe('newer-refresh');
  });

  it.each([
    ['a server error', { status: 503, body: '<html>' }, '503', null],
    [
      'a server error with the code of a revoked grant',
      { status: 500, body: { error: 'invalid_grant' } },
      'invalid_grant',
      null,
    ],
    ['too many requests', { status: 429, headers: { 'retry-after': '7' } }, '429', 7_000],
    ['an incorrectly configured client', { status: 401, body: { error: 'invalid_client' } }, 'invalid_client', null],
    ['a response without a token', { status: 200, body: { token_type: 'Bearer' } }, '200', null],
    ['a response that is not JSON', { status: 200, body: 'OK' }, '200', null],
  ])('are retried later after %s', async (_name, trouble, code, retryAfterMs) => {
    const owner = await fixture.mailbox(account);
    fixture.server.trouble(trouble);
    const error = await failureOf(tokens().getToken(owner));
    expect(error).toMatchObject({ failure: 'temporary', stage: 'login', retryAfterMs });
    expect(error.lastReply?.code).toBe(code);
    expect(account.tokens.has(await tokens().getToken(owner))).toBe(true);
  });

  it('fail for all callers of a process with one request', async () => {
    const owner = await fixture.mailbox(account);
    fixture.server.trouble({ status: 503 });
    const release = fixture.server.hold();
    const callers = Array.from({ length: 10 }, () => failureOf(tokens().getToken(owner)));
    await eventually('the first request arrives', () => requestCount() === 1);
    release();
    expect((await Promise.all(callers)).map(({ failure }) => failure)).toEqual(Array<string>(10).fill('temporary'));
    expect(requestCount()).toBe(1);
  });

  it('of an unreachable server are retried later', async () => {
    const elsewhere = await fixture.process({ GOOGLE_TOKEN_URL: 'http://127.0.0.1:1/token' });
    const owner = await fixture.mailbox(account);
    const error = await failureOf(fixture.get(MailboxTokenService, elsewhere).getToken(owner));
    expect(error).toMatchObject({ failure: 'temporary', stage: 'connect' });
  });

  it('of an installation without a client are retried later', async () => {
    const elsewhere = await fixture.process({ GOOGLE_CLIENT_ID: '' });
    const owner = await fixture.mailbox(account);
    expect(await failureOf(fixture.get(MailboxTokenService, elsewhere).getToken(owner))).toMatchObject({
      failure: 'temporary',
    });
  });

  it('of Microsoft are requested from Microsoft', async () => {
    const theirs = fixture.account('microsoft');
    const owner = await fixture.mailbox(theirs);
    expect(theirs.tokens.has(await tokens().getToken(owner))).toBe(true);
    expect(fixture.server.requests[0]).toMatchObject({ grant_type: 'refresh_token', client_id: 'client-1' });
  });

  it('are requested with a service account that acts for the mailbox', async () => {
    const file = fixture.server.serviceAccount('robot');
    const key = { clientEmail: file.client_email, privateKey: file.private_key, privateKeyId: null };
    const owner = await fixture.mailbox(account, { key: JSON.stringify(key) });
    expect(account.tokens.has(await tokens().getToken(owner))).toBe(true);
    expect(requestCount()).toBe(1);
    fixture.server.distrust(file.client_email);
    const error = await failureOf(tokens().getToken(owner, await tokens().getToken(owner)));
    expect(error).toMatchObject({ failure: 'needs-human' });
    expect(error.lastReply?.code).toBe('unauthorized_client');
  });

  it('of a deleted mailbox are unavailable', async () => {
    const owner = await fixture.mailbox(account);
    await fixture.mailboxes.deleteOne({ _id: owner.mailboxId, workspaceId: owner.workspaceId });
    expect(await failureOf(tokens().getToken(owner))).toMatchObject({ failure: 'needs-human' });
    expect(requestCount()).toBe(0);
  });

  it('are stored sealed', async () => {
    const owner = await fixture.mailbox(account);
    const token = await tokens().getToken(owner);
    const stored = JSON.stringify(await fixture.record(owner));
    for (const secret of [token, ...account.refreshTokens]) expect(stored).not.toContain(secret);
  });
});
