import { CrmError } from '@adapters/crm';
import { SecretBoxService } from '@platform/secrets';
import { type TestDatabase, eventually } from '../../../testing';
import { type ConnectionSecret, connectionSecretOwner } from '../connections/crm-secrets';
import { CrmConnectionFixture, type Owned } from '../testing/crm-connection-fixture';
import { CrmOAuthService } from './crm-oauth.service';

describe('access tokens of CRMs', () => {
  let fixture: CrmConnectionFixture;
  let processes: TestDatabase[];

  beforeAll(async () => {
    fixture = await CrmConnectionFixture.open();
    processes = [fixture.first, await fixture.process()];
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    fixture.server.requests.length = 0;
    fixture.server.rotation = 'none';
    fixture.server.lifetimeSeconds = 3_600;
  });

  const tokens = (index = 0): CrmOAuthService => fixture.get(CrmOAuthService, processes[index]);
  const asked = (): number => fixture.server.requests.length;
  const opened = async (owner: Owned, secret: ConnectionSecret): Promise<string> => {
    const record = await fixture.record(owner);
    return fixture
      .get(SecretBoxService)
      .open(record[secret]!, connectionSecretOwner(owner.workspaceId, owner.connectionId, secret));
  };
  const failureOf = async (work: Promise<unknown>): Promise<CrmError> => {
    const error: unknown = await work.then(
      () => 'it did not fail',
      (thrown: unknown) => thrown,
    );
    if (error instanceof CrmError) return error;
    throw new Error(`Not a CrmError: ${String(error)}`);
  };
  const storeNewer = async (
    { workspaceId, connectionId }: Owned,
    secrets: Partial<Record<ConnectionSecret, string>>,
  ) => {
    const sealed = Object.entries(secrets).map(([name, text]) => {
      const owner = connectionSecretOwner(workspaceId, connectionId, name as ConnectionSecret);
      return [name, fixture.get(SecretBoxService).seal(text, owner)];
    });
    await fixture.connections.updateOne(
      { _id: connectionId, workspaceId },
      {
        $set: { ...Object.fromEntries(sealed), accessTokenExpiresAt: fixture.first.clock.in(600_000) },
        $inc: { tokenVersion: 1 },
      },
    );
  };

  it('are requested once for twenty concurrent callers in two processes', async () => {
    fixture.server.rotation = 'strict';
    const owner = await fixture.consented();
    const release = fixture.server.hold();
    const callers = Array.from({ length: 20 }, (_, index) => tokens(index % 2).getToken(owner));
    await eventually('a token is requested', () => asked() > 0);
    release();
    const given = new Set(await Promise.all(callers));
    expect(given.size).toBe(1);
    expect(asked()).toBe(1);
    expect(given).toEqual(new Set([await opened(owner, 'accessToken')]));
    expect(fixture.server.refreshTokens.has(await opened(owner, 'refreshToken'))).toBe(true);
  });

  it('are replaced once after a refusal, for all callers that were refused', async () => {
    const owner = await fixture.consented();
    const refused = await tokens().getToken(owner);
    const given = await Promise.all(
      Array.from({ length: 12 }, (_, index) => tokens(index % 2).getToken(owner, refused)),
    );
    expect(new Set(given).size).toBe(1);
    expect(given[0]).not.toBe(refused);
    expect(asked()).toBe(2);
  });

  it('are not requested while the stored token is valid for another minute', async () => {
    const living = await fixture.consented({ accessToken: 'living', expiresAt: fixture.first.clock.in(65_000) });
    expect(await tokens().getToken(living)).toBe('living');
    expect(asked()).toBe(0);
    const dying = await fixture.consented({ accessToken: 'dying', expiresAt: fixture.first.clock.in(55_000) });
    expect(await tokens().getToken(dying)).not.toBe('dying');
    expect(asked()).toBe(1);
  });

  it('keep the refresh token when the vendor returns no new one, without a change of the connection', async () => {
    const owner = await fixture.consented();
    const [before, { updatedAt }] = [await opened(owner, 'refreshToken'), await fixture.record(owner)];
    fixture.first.clock.advance(60_000);
    await tokens().getToken(owner);
    expect(await opened(owner, 'refreshToken')).toBe(before);
    expect((await fixture.record(owner)).updatedAt).toEqual(updatedAt);
  });

  it('need a new connection after the consent was revoked', async () => {
    const owner = await fixture.consented({ refreshToken: 'revoked' });
    expect(await failureOf(tokens().getToken(owner))).toMatchObject({ failure: 'needs-human', reason: 'unauthorised' });
    expect(asked()).toBe(1);
  });

  it('are not given up when another process has changed the refresh token meanwhile', async () => {
    const owner = await fixture.consented({ refreshToken: 'used up' });
    const release = fixture.server.hold();
    const token = tokens().getToken(owner);
    await eventually('the old one was sent', () => asked() === 1);
    await storeNewer(owner, { refreshToken: fixture.server.refreshToken(), accessToken: 'of the other' });
    release();
    expect(await token).toBe('of the other');
    expect(asked()).toBe(1);
  });

  it('never overwrite the tokens of a new consent that was stored during their request', async () => {
    const owner = await fixture.consented();
    fixture.server.rotation = 'strict';
    const release = fixture.server.hold();
    const late = tokens().getToken(owner);
    await eventually('it is on its way', () => asked() === 1);
    await storeNewer(owner, { refreshToken: 'newer-refresh', accessToken: 'newer-access' });
    release();
    expect(await late).toBe('newer-access');
    expect(await opened(owner, 'refreshToken')).toBe('newer-refresh');
  });

  it('without an expiry are used until they are refused, and cannot be renewed', async () => {
    const forGood = { type: 'attio', refreshToken: null, accessToken: 'for-good' } as const;
    const owner = await fixture.consented({ ...forGood, expiresAt: fixture.first.clock.in(10 ** 12) });
    expect(await tokens().getToken(owner)).toBe('for-good');
    expect((await failureOf(tokens().getToken(owner, 'for-good'))).reason).toBe('unauthorised');
    expect(asked()).toBe(0);
  });

  it.each([
    ['a server error', { status: 503, body: '<html>' }, 'server', null],
    ['too many requests', { status: 429, headers: { 'retry-after': '7' } }, 'rate_limited', 7_000],
    ['a client that the operator set up wrongly', { status: 401, body: { error: 'invalid_client' } }, 'server', null],
    ['an answer without a token', { status: 200, body: {} }, 'server', null],
  ])('are retried later after %s', async (_name, trouble, reason, retryAfterMs) => {
    const owner = await fixture.consented();
    fixture.server.trouble(trouble);
    expect(await failureOf(tokens().getToken(owner))).toMatchObject({ failure: 'temporary', reason, retryAfterMs });
    expect(fixture.server.tokens.has(await tokens().getToken(owner))).toBe(true);
  });

  it.each([
    [400, { status: 'BAD_REFRESH_TOKEN', message: 'missing or invalid refresh token' }],
    [200, { error: 'invalid_code' }],
    [400, { error: 'inactive_user', error_description: 'user is inactive' }],
    [400, { error: 'inactive_org', error_description: 'organization is locked, closed, or suspended' }],
  ])('are revoked when the vendor reports it in its own format: %i %j', async (status, body) => {
    const owner = await fixture.consented();
    fixture.server.trouble({ status, body });
    expect((await failureOf(tokens().getToken(owner))).reason).toBe('unauthorised');
  });
});
