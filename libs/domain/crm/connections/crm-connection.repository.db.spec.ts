import { HookRegistry } from '@platform/hooks';
import { addListener } from '@testing';
import { CrmError } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import { EventRecord } from '@domain/events';
import { TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { SecretRotationService } from '@platform/secrets';
import { CrmOAuthService } from '../oauth/crm-oauth.service';
import { CrmMappingsService } from '../mapping/crm-mappings.service';
import { CrmConnectionFixture } from '../testing/crm-connection-fixture';
import { CrmCheckService } from './crm-check.service';
import { CRM_CONNECTION_HOOKS } from './crm-connection-hooks';
import { CrmConnectionRepository } from './crm-connection.repository';
import { CrmConnectionSettingsService } from './crm-connection-settings.service';

const DAY_MS = 86_400_000;
const FOREVER = new AbortController().signal;
const REFUSED = new CrmError('unauthorised', 'The CRM answered 401');

describe('connections to CRMs', () => {
  let fixture: CrmConnectionFixture;
  const told: string[] = [];

  beforeAll(async () => {
    fixture = await CrmConnectionFixture.open();
    fixture.crms.driver('hubspot').fields = ['firstname', 'jobtitle'].map((name) => ({
      name,
      label: name,
      type: 'text',
      isWritable: true,
      isCustom: false,
      options: null,
      maxLength: 100,
    }));
    addListener(fixture.get(HookRegistry), CRM_CONNECTION_HOOKS, {
      connected: async (workspaceId, type) => void told.push(`${workspaceId} ${type} connected`),
      disconnected: async (workspaceId, type, why) => void told.push(`${workspaceId} ${type} ${why}`),
    });
  });
  afterAll(() => fixture.close());
  beforeEach(() => {
    told.length = 0;
    fixture.server.isLasting = true;
    fixture.server.more = {};
    fixture.crms.driver('hubspot').refusedTokens.clear();
  });

  const standing = (): CrmConnectionRepository => fixture.get(CrmConnectionRepository);
  const settings = (): CrmConnectionSettingsService => fixture.get(CrmConnectionSettingsService);
  const connected = async (apiKey = 'key-canary'): Promise<WorkspaceScope> => {
    const workspace = await fixture.workspace();
    await settings().set(workspace, 'hubspot', { apiKey });
    return workspace;
  };
  const failureOf = async (work: Promise<unknown>): Promise<AppError> => {
    const error: unknown = await work.then(
      () => 'it did not fail',
      (thrown: unknown) => thrown,
    );
    if (error instanceof AppError) return error;
    throw new Error(`Not an AppError: ${String(error)}`);
  };
  const eventsOf = ({ workspaceId }: WorkspaceScope) =>
    fixture.model<EventRecord>(EventRecord).find({ workspaceId }).lean<EventRecord[]>();
  const calls = () => fixture.crms.driver('hubspot').calls;

  it('are created with a verified key and the default rules for the fields of the account', async () => {
    const workspace = await connected();
    expect(await settings().get(workspace, 'hubspot')).toMatchObject({
      status: 'connected',
      enabled: true,
      authMethod: 'key',
      accountId: 'account-hubspot',
      ownerPolicy: 'keep',
    });
    const { mapping, session } = await standing().open(workspace.workspaceId, 'hubspot');
    expect(mapping).toMatchObject([
      { lead: 'firstName', crm: 'firstname', type: 'text', maxLength: 100 },
      { lead: 'jobTitle', crm: 'jobtitle' },
    ]);
    expect((await session.identity()).accountId).toBe('account-hubspot');
    expect(told).toEqual([`${workspace.workspaceId} hubspot connected`]);
  });

  it('are not created with a refused key, and no part of the key is stored', async () => {
    fixture.crms.driver('hubspot').refusedTokens.add('wrong');
    const workspace = await fixture.workspace();
    const error = await failureOf(settings().set(workspace, 'hubspot', { apiKey: 'wrong' }));
    expect(error.details).toEqual([{ field: 'apiKey', message: expect.stringContaining('refused') as string }]);
    expect(await fixture.connections.countDocuments({ workspaceId: workspace.workspaceId })).toBe(0);
  });

  it('are not created while the vendor is unreachable', async () => {
    fixture.crms.driver('hubspot').next({ fails: 'server' }, 'fields');
    const error = await failureOf(settings().set(await fixture.workspace(), 'hubspot', { apiKey: 'key' }));
    expect(error.code).toBe('CRM_UNAVAILABLE');
  });

  it('are one for each CRM, even with concurrent requests', async () => {
    const workspace = await fixture.workspace();
    await Promise.all(['a', 'b', 'c', 'd'].map((apiKey) => settings().set(workspace, 'hubspot', { apiKey })));
    expect(await fixture.connections.countDocuments({ workspaceId: workspace.workspaceId })).toBe(1);
  });

  it('end once under concurrent refusals: one event, all listeners notified', async () => {
    const workspace = await connected();
    told.length = 0;
    const { workspaceId } = workspace;
    await Promise.all(Array.from({ length: 5 }, () => standing().markFailed(workspaceId, 'hubspot', REFUSED)));
    expect(await settings().get(workspace, 'hubspot')).toMatchObject({
      status: 'disconnected',
      lastError: { code: 'CRM_NOT_AUTHORISED', message: 'The CRM answered 401' },
    });
    expect((await eventsOf(workspace)).map(({ type, data }) => [type, data])).toEqual([
      ['integration.disconnected', { name: 'hubspot', code: 'CRM_NOT_AUTHORISED', reason: 'The CRM answered 401' }],
    ]);
    expect(told).toEqual([`${workspaceId} hubspot refused`]);
    expect((await failureOf(standing().open(workspaceId, 'hubspot'))).code).toBe('CRM_NOT_CONNECTED');
  });

  it('remain during an outage of the vendor, and show the reason', async () => {
    const workspace = await connected();
    await standing().markFailed(workspace.workspaceId, 'hubspot', new CrmError('timeout', 'Nobody answers'));
    expect(await settings().get(workspace, 'hubspot')).toMatchObject({
      status: 'connected',
      lastError: { code: 'CRM_UNAVAILABLE' },
    });
    expect(await eventsOf(workspace)).toEqual([]);
  });

  it('do not end because of a refusal of older credentials', async () => {
    const workspace = await connected();
    const { revision } = await standing().open(workspace.workspaceId, 'hubspot');
    await settings().set(workspace, 'hubspot', { apiKey: 'newer' });
    expect(await standing().markFailed(workspace.workspaceId, 'hubspot', REFUSED, revision)).toBe(false);
    expect((await settings().get(workspace, 'hubspot')).status).toBe('connected');
    for (const again of [1, 2]) {
      expect([again, await standing().markFailed(workspace.workspaceId, 'hubspot', REFUSED, revision + 1)]).toEqual([
        again,
        true,
      ]);
    }
  });

  it('keep the error of a refusal when an earlier sync is recorded after it', async () => {
    const workspace = await connected();
    await standing().markFailed(workspace.workspaceId, 'hubspot', REFUSED);
    const at = fixture.first.clock.now();
    await standing().markSynced(workspace.workspaceId, 'hubspot', at);
    expect(await settings().get(workspace, 'hubspot')).toMatchObject({
      status: 'disconnected',
      lastError: { code: 'CRM_NOT_AUTHORISED' },
      lastSyncAt: at.toISOString(),
    });
  });

  it('keep mapping and totals when they are created again', async () => {
    const workspace = await connected();
    const { workspaceId } = workspace;
    const rules = [
      { lead: 'jobTitle', crm: 'jobtitle', direction: 'pull', overwrite: 'always', values: null } as const,
    ];
    await fixture.get(CrmMappingsService).set(workspace, 'hubspot', { rules: [...rules] });
    await standing().addTotals(workspaceId, 'hubspot', { pulled: 3, pushed: 2 });
    await standing().markFailed(workspaceId, 'hubspot', REFUSED);
    const before = await fixture.connections.findOne({ workspaceId }).lean();
    await settings().set(workspace, 'hubspot', { apiKey: 'another' });
    const after = await standing().open(workspaceId, 'hubspot');
    expect(after.connectionId).toEqual(before?._id);
    expect(after.mapping).toMatchObject(rules);
    expect(await settings().get(workspace, 'hubspot')).toMatchObject({
      status: 'connected',
      lastError: null,
      totalPulled: 3,
      totalPushed: 2,
    });
  });

  it('are never replaced by another account', async () => {
    const workspace = await connected();
    const { workspaceId } = workspace;
    await fixture.connections.updateOne({ workspaceId }, { $set: { accountId: 'another account' } });
    const error = await failureOf(settings().set(workspace, 'hubspot', { apiKey: 'another' }));
    expect(error.code).toBe('INTEGRATION_WRONG_ACCOUNT');
    await settings().remove(workspace, 'hubspot');
    expect(told).toContain(`${workspaceId} hubspot removed`);
    await settings().set(workspace, 'hubspot', { apiKey: 'another' });
  });

  it('update totals in the transaction of the caller', async () => {
    const workspace = await connected();
    const { workspaceId } = workspace;
    const cut = fixture.get(TransactionService).run(async () => {
      await standing().addTotals(workspaceId, 'hubspot', { pulled: 100 });
      throw new Error('cut');
    });
    await expect(cut).rejects.toThrow('cut');
    await fixture
      .get(TransactionService)
      .run(() => standing().addTotals(workspaceId, 'hubspot', { pulled: 2, pushed: 1 }));
    const at = fixture.first.clock.now();
    await standing().markSynced(workspaceId, 'hubspot', at);
    await standing().markSynced(workspaceId, 'hubspot', new Date(at.getTime() - DAY_MS));
    expect(await settings().get(workspace, 'hubspot')).toMatchObject({
      totalPulled: 2,
      totalPushed: 1,
      lastSyncAt: at.toISOString(),
    });
  });

  it('refuse use while they are disabled', async () => {
    const workspace = await connected();
    const { workspaceId } = workspace;
    await settings().set(workspace, 'hubspot', { enabled: false });
    expect((await failureOf(standing().open(workspaceId, 'hubspot'))).code).toBe('CRM_NOT_CONNECTED');
    await settings().set(workspace, 'hubspot', { enabled: true });
    await standing().open(workspaceId, 'hubspot');
    expect(told).toEqual(['connected', 'switched_off', 'connected'].map((what) => `${workspaceId} hubspot ${what}`));
  });

  it('require an owner for the policy that sets one', async () => {
    const workspace = await connected();
    const error = await failureOf(settings().set(workspace, 'hubspot', { ownerPolicy: 'set' }));
    expect(error.details).toMatchObject([{ field: 'ownerId' }]);
    await settings().set(workspace, 'hubspot', { ownerPolicy: 'set', ownerId: '7' });
    expect(await standing().open(workspace.workspaceId, 'hubspot')).toMatchObject({ ownerPolicy: 'set', ownerId: '7' });
    expect((await failureOf(settings().set(workspace, 'hubspot', { ownerId: null }))).code).toBe('VALIDATION_ERROR');
  });

  it('are checked after a day without use; others are not checked', async () => {
    const [used, idle, off] = [await connected(), await connected('idle-key'), await connected()];
    await settings().set(off, 'hubspot', { enabled: false });
    fixture.first.clock.advance(DAY_MS);
    for (const { workspaceId } of [used])
      await standing().markSynced(workspaceId, 'hubspot', fixture.first.clock.now());
    const others = { $nin: [used, idle, off].map(({ workspaceId }) => workspaceId) };
    await fixture.connections.deleteMany({ workspaceId: others }).setOptions({ allWorkspaces: 'those of other tests' });
    fixture.crms.driver('hubspot').refusedTokens.add('idle-key');
    calls().length = 0;
    await fixture.get(CrmCheckService).checkIdle(FOREVER);
    expect(calls()).toEqual(['identity']);
    expect((await settings().get(idle, 'hubspot')).status).toBe('disconnected');
    calls().length = 0;
    await fixture.get(CrmCheckService).checkIdle(FOREVER);
    expect(calls()).toEqual([]);
  });

  it('are connected again when a test succeeds after a refusal', async () => {
    const workspace = await connected();
    const { workspaceId } = workspace;
    await standing().markFailed(workspaceId, 'hubspot', REFUSED);
    const checks = fixture.get(CrmCheckService);
    fixture.crms.driver('hubspot').next({ fails: 'forbidden' });
    expect(await checks.test(workspace, 'hubspot')).toMatchObject({ ok: false, error: { code: 'CRM_NOT_AUTHORISED' } });
    told.length = 0;
    expect(await checks.test(workspace, 'hubspot')).toMatchObject({
      ok: true,
      error: null,
      connection: { status: 'connected', lastError: null },
    });
    expect(told).toEqual([`${workspaceId} hubspot connected`]);
  });

  it('are created once after a consent, by the request with its state', async () => {
    const workspace = await fixture.workspace();
    const { authUrl, _id } = await fixture.get(CrmOAuthService).start(workspace, 'hubspot', {});
    const back = new URL(fixture.server.consent(authUrl), 'https://mail.example').searchParams;
    const arrive = (type = 'hubspot') => fixture.get(CrmOAuthService).handleCallback(type, Object.fromEntries(back));
    expect(await arrive('attio')).toEqual({ status: 'unknown' });
    expect(await arrive()).toMatchObject({ status: 'completed', message: 'Fake hubspot' });
    expect(await arrive()).toEqual({ status: 'unknown' });
    expect(await fixture.get(CrmOAuthService).session(workspace, _id)).toMatchObject({
      status: 'completed',
      error: null,
    });
    expect((await failureOf(fixture.get(CrmOAuthService).session(await fixture.workspace(), _id))).code).toBe(
      'NOT_FOUND',
    );
    expect(await settings().get(workspace, 'hubspot')).toMatchObject({ authMethod: 'consent', scopes: ['people'] });
  });

  it.each([
    ['that was denied', { error: 'access_denied' }, 'INTEGRATION_CONSENT_DENIED'],
    ['of a code that is none', { code: 'invented' }, 'INTEGRATION_CONSENT_FAILED'],
  ])('are not created after a consent %s', async (_what, more, code) => {
    const workspace = await fixture.workspace();
    const { authUrl, _id } = await fixture.get(CrmOAuthService).start(workspace, 'hubspot', {});
    const back = new URL(fixture.server.consent(authUrl, more), 'https://mail.example').searchParams;
    const outcome = await fixture.get(CrmOAuthService).handleCallback('hubspot', Object.fromEntries(back));
    expect(outcome.status).toBe('failed');
    expect(await fixture.get(CrmOAuthService).session(workspace, _id)).toMatchObject({
      status: 'failed',
      error: { code },
    });
  });

  it('are not created after a consent that took longer than an hour', async () => {
    fixture.server.isLasting = false;
    const workspace = await fixture.workspace();
    const { authUrl } = await fixture.get(CrmOAuthService).start(workspace, 'hubspot', {});
    const back = new URL(fixture.server.consent(authUrl), 'https://mail.example').searchParams;
    const outcome = await fixture.get(CrmOAuthService).handleCallback('hubspot', Object.fromEntries(back));
    expect(outcome).toMatchObject({ status: 'failed', message: expect.stringContaining('lasting') as string });
  });

  it('are not created with an expired state', async () => {
    const workspace = await fixture.workspace();
    const { authUrl, _id } = await fixture.get(CrmOAuthService).start(workspace, 'hubspot', {});
    const back = new URL(fixture.server.consent(authUrl), 'https://mail.example').searchParams;
    fixture.first.clock.advance(11 * 60_000);
    expect((await fixture.get(CrmOAuthService).handleCallback('hubspot', Object.fromEntries(back))).status).toBe(
      'unknown',
    );
    expect((await fixture.get(CrmOAuthService).session(workspace, _id)).status).toBe('expired');
  });

  it('validate their rules against the fields of the account', async () => {
    const workspace = await connected();
    const set = (crm: string) =>
      fixture.get(CrmMappingsService).set(workspace, 'hubspot', {
        rules: [{ lead: 'city', crm, direction: 'both', overwrite: 'always', values: { Wien: 'Vienna.$x' } }],
      });
    expect((await failureOf(set('town'))).details).toMatchObject([{ field: 'rules.0.crm' }]);
    await set('jobtitle');
    expect((await fixture.get(CrmMappingsService).get(workspace, 'hubspot')).rules).toEqual([
      {
        lead: 'city',
        crm: 'jobtitle',
        direction: 'both',
        overwrite: 'always',
        values: { Wien: 'Vienna.$x' },
        type: 'text',
      },
    ]);
    calls().length = 0;
    await set('firstname');
    await standing().markFailed(workspace.workspaceId, 'hubspot', REFUSED);
    await set('jobtitle');
  });

  it('encrypt their secrets again during key rotation, and never return them', async () => {
    const rotation = () => fixture.get(SecretRotationService).run({ dryRun: true });
    const before = await rotation();
    const workspace = await connected('key-canary-1');
    const shown = JSON.stringify(await settings().get(workspace, 'hubspot'));
    const stored = JSON.stringify(await fixture.connections.findOne({ workspaceId: workspace.workspaceId }).lean());
    expect(shown + stored).not.toContain('key-canary-1');
    const after = await rotation();
    expect(after).toMatchObject({ failed: 0, alreadyCurrent: before.alreadyCurrent + 1 });
  });
});
