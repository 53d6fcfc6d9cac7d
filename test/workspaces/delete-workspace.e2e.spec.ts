import { tenantCollections } from '@platform/database';
import { QueuesService } from '@platform/queues';
import { FaultProxy, redisUrl } from '@testing';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { dataOf, newMember } from './people';

const DAY_MS = 86_400_000;

/** Number of records of each workspace by collection. All are counted in parallel: there are seventy collections. */
async function recordsOf(platform: Platform, ...workspaces: SeededWorkspace[]): Promise<Record<string, number>[]> {
  const ids = workspaces.map(({ workspaceId }) => workspaceId);
  const found = workspaces.map((): Record<string, number> => ({}));
  for (const model of tenantCollections(platform.app.get<Connection>(getConnectionToken()).models)) {
    const asked = model.find({ workspaceId: { $in: ids } } as never, { workspaceId: 1 });
    const records = await asked.setOptions({ allWorkspaces: 'a test' }).lean();
    for (const { workspaceId } of records as unknown as { workspaceId: Types.ObjectId }[]) {
      const counts = found[ids.indexOf(workspaceId.toHexString())]!;
      counts[model.modelName] = (counts[model.modelName] ?? 0) + 1;
    }
  }
  return found;
}

describe('DELETE /v1/workspaces/:workspaceId', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    platform = await startPlatform({
      worker: true,
      env: { WORKSPACE_RETENTION_DAYS: '1', NEW_WORKSPACE_CREDITS: '5' },
    });
  });
  beforeEach(async () => {
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  const remove = (key = workspace.owner.key) => platform.api.as(key).delete(`/v1/workspaces/${workspace.workspaceId}`);

  it('answers a message, and the workspace is unknown from then on', async () => {
    const response = await remove();
    expect({ status: response.status, body: response.body as unknown }).toEqual({
      status: 200,
      body: { success: true, data: { message: 'Workspace deleted' } },
    });
    expectFormA(await platform.api.as(workspace.owner.key).get(`/v1/workspaces/${workspace.workspaceId}`), 404);
    expectFormA(await remove(), 404);
  });

  it('stops the workspace’s keys at once, and keeps its users’ access to other workspaces', async () => {
    const elsewhere = await platform.seed.workspace({ owner: workspace.owner });
    await remove().expect(200);
    expectFormA(await platform.api.as(workspace.key).get('/v1/workspaces'), 401);
    expectFormA(await platform.api.as(workspace.owner.key).in(workspace.workspaceId).get('/v1/api-keys'), 403);
    await platform.api.as(workspace.owner.key).get('/v1/credits/balance').expect(200);
    await platform.api.as(elsewhere.key).get('/v1/workspaces').expect(200);
  });

  it('requires the owner', async () => {
    const admin = await newMember(platform, workspace, 'admin');
    expectFormA(await remove(admin.key), 403, /permission/);
    expectFormA(await remove(workspace.key), 403, /permission/);
    const weak = await platform.seed.userKey(workspace.owner.userId, { scopes: ['read', 'write'] });
    expectFormA(await remove(weak), 403, /permission/);
  });

  it('invalidates the invitations of the workspace', async () => {
    const { token } = dataOf<{ token: string }>(
      await platform.api
        .as(workspace.key)
        .post(`/v1/workspaces/${workspace.workspaceId}/members`)
        .send({ email: 'late@example.com' }),
    );
    await remove().expect(200);
    expectFormB(await platform.api.post('/v1/invitations/accept').send({ token, name: 'Late' }), 404, 'NOT_FOUND');
  });

  it('leaves no record of it after the retention time, and changes no other workspace', async () => {
    const other = await platform.seed.workspace();
    for (const { key, workspaceId } of [workspace, other]) {
      await platform.api
        .as(key)
        .post(`/v1/workspaces/${workspaceId}/members`)
        .send({ email: 'left@example.com' })
        .expect(201);
    }
    const [its = {}, untouched] = await recordsOf(platform, workspace, other);
    expect(Object.keys(its)).toEqual(
      expect.arrayContaining(['AuditRecord', 'CreditEntryRecord', 'InvitationRecord', 'WorkspaceKeyRecord']),
    );
    await remove().expect(200);
    await platform.drain();
    const entries = platform.app.get<Connection>(getConnectionToken()).collection('credit_entries');
    const kept = await entries.countDocuments({ workspaceId: new Types.ObjectId(workspace.workspaceId) });
    expect(kept).toBeGreaterThan(0);
    // The job waits in Redis, whose clock a test cannot advance.
    const waiting = await platform.app.get(QueuesService).get('workspace-purge').getDelayed();
    const job = waiting.find(({ data }) => (data as { workspaceId: string }).workspaceId === workspace.workspaceId);
    expect(job!.delay).toBeGreaterThan(DAY_MS - 60_000);
    expect(job!.delay).toBeLessThanOrEqual(DAY_MS);
    platform.clock.advance(DAY_MS);
    await job!.promote();
    await platform.drain();
    expect(await recordsOf(platform, workspace, other)).toEqual([{}, untouched]);
    await platform.api.as(other.key).get(`/v1/workspaces/${other.workspaceId}`).expect(200);
  });

  it('leaves no record of it, although Redis lost the job, because the sweep enqueues it again', async () => {
    await remove().expect(200);
    await platform.app.get(QueuesService).get('workspace-purge').obliterate({ force: true });
    platform.clock.advance(DAY_MS);
    await platform.tick();
    await platform.drain();
    expect(await recordsOf(platform, workspace)).toEqual([{}]);
  });
});

describe('the deletion of a workspace while Redis is unavailable', () => {
  it('is answered with 503 and changes nothing', async () => {
    const redis = new FaultProxy(redisUrl());
    const platform = await startPlatform({ env: { REDIS_URL: await redis.start() } });
    try {
      const workspace = await platform.seed.workspace();
      const path = `/v1/workspaces/${workspace.workspaceId}`;
      await redis.cut();
      expectFormA(await platform.api.as(workspace.owner.key).delete(path), 503);
      await platform.api.as(workspace.key).get(path).expect(200);
    } finally {
      await redis.restore();
      await platform.close();
      await redis.cut();
    }
  });
});
