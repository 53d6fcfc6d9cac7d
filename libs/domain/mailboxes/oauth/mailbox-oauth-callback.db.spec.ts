import { type WorkspaceScope } from '@domain/access';
import { EventRecord } from '@domain/events';
import { type ConsentOutcome, OAuthConsentSessionsService } from '@domain/oauth';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, mongo } from 'mongoose';
import { MailboxConnectionService } from '../mailbox-connection.service';
import { OAuthFixture } from '../testing/oauth-fixture';
import { MailboxGrantService } from './mailbox-grant.service';
import { MailboxOAuthService } from './mailbox-oauth.service';
import { MailboxGrantProofService } from './mailbox-grant-proof.service';

describe('the callback of a vendor', () => {
  let fixture: OAuthFixture;
  let workspace: WorkspaceScope;

  beforeAll(async () => {
    fixture = await OAuthFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    workspace = await fixture.workspace();
    fixture.first.clock.reset();
  });
  afterEach(() => jest.restoreAllMocks());

  const journey = async (account = fixture.account()) => {
    const { _id, authUrl } = await fixture.get(MailboxOAuthService).start(workspace, account.vendor, {});
    const path = await fixture.server.consent(authUrl, { as: account });
    const parameters = Object.fromEntries(new URL(path, 'http://here').searchParams);
    const arrive = (): Promise<ConsentOutcome> =>
      fixture.get(MailboxOAuthService).handleCallback(account.vendor, parameters);
    return { _id, account, arrive, session: () => fixture.get(MailboxOAuthService).session(workspace, _id) };
  };
  const records = async () => {
    const database = fixture.first.module.get<Connection>(getConnectionToken()).db!;
    const workspaceId = new mongo.ObjectId(workspace.workspaceId);
    const of = (name: string, more = {}) => database.collection(name).countDocuments({ workspaceId, ...more });
    const audited = await of('audit_entries', { 'target.type': 'mailbox' });
    return { mailboxes: await of('mailboxes'), events: await of('events'), audited };
  };
  const nothing = { mailboxes: 0, events: 0, audited: 0 };
  const lost = () => new mongo.MongoNetworkError('connection 1 to 127.0.0.1:27017 closed');

  it.each([
    ['during the exchange of the code', MailboxGrantProofService, 'verifyConsent'],
    ['before the mailbox is stored', MailboxGrantService, 'save'],
    ['after the mailbox is stored and before the session is', OAuthConsentSessionsService, 'complete'],
  ] as const)('leaves no partial state if the process crashes %s', async (_name, service, method) => {
    const { arrive, session } = await journey();
    const target: object = fixture.get<object>(service);
    jest.spyOn(target as never, method as never).mockRejectedValue(lost() as never);
    await expect(arrive()).rejects.toThrow('closed');
    jest.restoreAllMocks();
    expect(await records()).toEqual(nothing);
    expect(await session()).toMatchObject({ status: 'pending', mailboxId: null });
    expect(await arrive()).toEqual({ status: 'unknown' });
    fixture.first.clock.advance(11 * 60_000);
    expect(await session()).toMatchObject({ status: 'expired' });
  });

  it('stores mailbox, event, audit entry and session together', async () => {
    const { arrive, session, account } = await journey();
    expect(await arrive()).toMatchObject({ status: 'completed', message: account.address });
    expect(await records()).toEqual({ mailboxes: 1, events: 1, audited: 1 });
    expect(await session()).toMatchObject({ status: 'completed' });
  });

  it('reports an internal error without its details', async () => {
    const { arrive, session } = await journey();
    jest.spyOn(fixture.get(MailboxGrantService), 'save').mockRejectedValue(new TypeError('canary: undefined is not'));
    expect(JSON.stringify(await arrive())).not.toContain('canary');
    expect((await session()).error).toEqual({
      code: 'OAUTH_FAILED',
      message: expect.stringContaining('internal error') as unknown,
    });
  });

  it('reconnects a mailbox whose grant was revoked, with an event', async () => {
    const first = await journey();
    await first.arrive();
    const { mailboxId } = await first.session();
    const failure = { failure: 'needs-human', stage: 'login', message: 'Gone', retryAfterMs: null } as const;
    const lastReply = { code: 'invalid_grant', enhancedCode: null, command: 'POST token', response: 'revoked' };
    const at = { workspaceId: workspace.workspaceId, mailboxId: mailboxId!, revision: 0 };
    await fixture.get(MailboxConnectionService).recordFailure(at, { ...failure, lastReply });
    const second = await journey(first.account);
    await second.arrive();
    const healed = await fixture.mailboxes.findOne({ workspaceId: workspace.workspaceId, _id: mailboxId }).lean();
    expect(healed).toMatchObject({
      status: 'active',
      connection: { state: 'connected', nextCheckAt: null },
      lastError: null,
      credentialsRevision: 1,
    });
    expect(healed?.oauthCredentials?.version).toBeGreaterThan(0);
    const events = await fixture
      .model<EventRecord>(EventRecord)
      .find({ workspaceId: workspace.workspaceId })
      .sort({ at: 1 })
      .lean();
    expect(events.map(({ type }) => type)).toEqual([
      'mailbox.connected',
      'mailbox.disconnected',
      'mailbox.reconnected',
    ]);
  });

  it('connects an address once for two concurrent consents', async () => {
    const account = fixture.account();
    const journeys = [await journey(account), await journey(account), await journey(account)];
    const outcomes = await Promise.all(journeys.map(({ arrive }) => arrive()));
    expect(outcomes.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    expect(await records()).toMatchObject({ mailboxes: 1, events: 1 });
  });
});
