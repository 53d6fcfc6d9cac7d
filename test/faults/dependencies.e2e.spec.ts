import { Queues, RedisConnection } from '@platform/queues';
import { eventually, FaultProxy } from '@testing';
import { expectFormA, type Platform, type SeededWorkspace, startPlatform } from '../harness';

/** The platform with something in between that can make MongoDB or Redis unreachable. */
async function startBehind(
  variable: 'MONGODB_URI' | 'REDIS_URL',
  worker: boolean,
): Promise<{ platform: Platform; proxy: FaultProxy }> {
  const proxy = new FaultProxy(process.env[variable]!);
  const url = new URL(await proxy.start());
  if (variable === 'MONGODB_URI') url.pathname = `/test_faults_${Date.now()}`;
  return { proxy, platform: await startPlatform({ env: { [variable]: url.toString() }, worker }) };
}

describe.each(['cut', 'silence'] as const)('while Redis is away (%s)', (fault) => {
  let platform: Platform;
  let proxy: FaultProxy;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    ({ platform, proxy } = await startBehind('REDIS_URL', true));
    workspace = await platform.seed.workspace();
    await proxy[fault]();
  });
  afterAll(async () => {
    await proxy.restore();
    await eventually('Redis is back', () => platform.app.get(RedisConnection).client.status === 'ready');
    await platform.close();
    await proxy.cut();
  });

  const read = () => platform.api.as(workspace.owner.key).get(`/v1/workspaces/${workspace.workspaceId}`);
  const remove = () => platform.api.as(workspace.owner.key).delete(`/v1/workspaces/${workspace.workspaceId}`);

  it('answers reads, and writes that need no queue', async () => {
    expect((await read()).status).toBe(200);
    const renamed = await platform.api
      .as(workspace.owner.key)
      .patch(`/v1/workspaces/${workspace.workspaceId}`)
      .send({ name: 'Renamed' });
    expect(renamed.status).toBe(200);
  });

  it('says so in its health and stays in service', async () => {
    const response = await platform.api.get('/health/ready');
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      status: 'degraded',
      checks: { redis: { status: 'down' }, mongodb: { status: 'up' } },
    });
  });

  it('refuses a write that needs the queue with 503, and changes nothing', async () => {
    expectFormA(await remove(), 503, 'queue');
    expect((await read()).status).toBe(200);
  });

  it('resumes by itself when Redis is back: the write is done, and its job is there', async () => {
    await proxy.restore();
    await eventually('the write goes through', async () => (await remove()).status === 200);
    expectFormA(await read(), 404);
    expect(await platform.app.get(Queues).get('workspace-purge').getDelayedCount()).toBe(1);
  });

  it('restores the jobs that an emptied Redis forgot', async () => {
    await platform.app.get(Queues).obliterate();
    await platform.tick();
    expect(await platform.app.get(Queues).get('workspace-purge').getDelayedCount()).toBe(1);
  });
});

describe.each(['cut', 'silence'] as const)('while MongoDB is away (%s)', (fault) => {
  let platform: Platform;
  let proxy: FaultProxy;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    ({ platform, proxy } = await startBehind('MONGODB_URI', false));
    workspace = await platform.seed.workspace();
    await proxy[fault]();
  });
  afterAll(async () => {
    await proxy.restore();
    await platform.close();
    await proxy.cut();
  });

  const read = () => platform.api.as(workspace.owner.key).get(`/v1/workspaces/${workspace.workspaceId}`);

  it('answers 503 Form A, without a word about the inside', async () => {
    const response = await read();
    expectFormA(response, 503, 'try again');
    expect(JSON.stringify(response.body)).not.toMatch(/mongo|127\.0\.0\.1|ECONN/i);
  });

  it('finds out by its own short wait, not by the driver’s long one', () => {
    const expected = {
      cut: 'ECONN|MongoServerSelectionError|MongoNetworkError',
      silence: 'MongoOperationTimeoutError',
    }[fault];
    expect(platform.logged()).toMatch(new RegExp(expected));
  });

  it('is alive but not ready', async () => {
    expect((await platform.api.get('/health/live')).status).toBe(200);
    const response = await platform.api.get('/health/ready');
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ status: 'unavailable', checks: { mongodb: { status: 'down' } } });
  });

  it('recovers by itself', async () => {
    await proxy.restore();
    await eventually('ready', async () => (await platform.api.get('/health/ready')).status === 200);
    await eventually('answers', async () => (await read()).status === 200);
  });
});
