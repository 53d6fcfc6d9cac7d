import { DeadJobQueue, QueuesService, QUEUE_NAMES, RedisClient, ScheduleQueue } from '@platform/queues';
import { eventually, type FaultProxy } from '@testing';
import { periodicTasks } from '@domain/assembly';
import { readContent, expectFormA, type Platform, type SeededWorkspace } from '../harness';
import { type Faulty, startBehind } from './behind';

const MINUTE_MS = 60_000;

describe.each(['cut', 'silence'] as const)('while Redis is unavailable (%s)', (fault) => {
  let behind: Faulty;
  let platform: Platform;
  let proxy: FaultProxy;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    behind = await startBehind('REDIS_URL', { worker: true });
    ({ platform, proxy } = behind);
    workspace = await platform.seed.workspace();
    await proxy[fault]();
  });
  afterAll(() => behind.close());

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

  it('reports it in the health check and stays in service', async () => {
    const response = await platform.api.get('/health/ready');
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      status: 'degraded',
      checks: { redis: { status: 'down' }, mongodb: { status: 'up' } },
    });
  });

  it('refuses a write that needs the queue with 503, and changes nothing', async () => {
    const before = await readContent(behind.database);
    expectFormA(await remove(), 503, 'queue');
    expect(await readContent(behind.database)).toEqual(before);
    expect((await read()).status).toBe(200);
  });

  it('recovers when Redis is available again: the write succeeds, and its job exists', async () => {
    await proxy.restore();
    await eventually('the write succeeds', async () => (await remove()).status === 200);
    expectFormA(await read(), 404);
    expect(await platform.app.get(QueuesService).get('workspace-purge').getDelayedCount()).toBe(1);
  });

  it('restores the jobs that an emptied Redis lost', async () => {
    await platform.app.get(QueuesService).obliterate();
    await platform.tick();
    expect(await platform.app.get(QueuesService).get('workspace-purge').getDelayedCount()).toBe(1);
  });
});

describe.each(['cut', 'silence'] as const)('a Redis outage (%s)', (fault) => {
  let behind: Faulty;

  beforeAll(async () => {
    behind = await startBehind('REDIS_URL', { env: { RATE_LIMIT_REQUESTS: '3', RATE_LIMIT_WINDOW_SECONDS: '3600' } });
  });
  afterAll(() => behind.close());

  it('during the first use of a queue does not break that queue', async () => {
    const { platform, proxy } = behind;
    const queues = platform.app.get(QueuesService);
    const rhythm = platform.app.get(ScheduleQueue);
    await rhythm.tick(periodicTasks);
    platform.clock.advance(MINUTE_MS);
    await proxy[fault]();
    // A silent server seems healthy until the first command. The connection knows that a server is gone, so no code
    // would use the queue: in that case the test uses it directly.
    await expect(rhythm.tick(periodicTasks)).rejects.toThrow('queue cannot be reached');
    // In parallel: each waits for the timeout of a silent server.
    const touches = QUEUE_NAMES.map(async (name) => {
      const added = platform.app.get(RedisClient).promptly(() => queues.get(name).add(name, {}));
      await expect(added).rejects.toThrow('queue cannot be reached');
      queues.get(name);
    });
    await Promise.all(touches);

    await proxy.restore();
    await eventually('due schedules run', () =>
      rhythm.tick(periodicTasks).then(
        () => true,
        () => false,
      ),
    );
    // A single command may still be too slow for the restored connection; a broken queue would refuse all of them.
    for (const name of QUEUE_NAMES) {
      const addsOne = async () => {
        await queues.get(name).add(name, {}, { jobId: `after-${name}`, delay: MINUTE_MS });
        return (await queues.get(name).getJob(`after-${name}`)) !== undefined;
      };
      await eventually(`${name} accepts jobs`, () => addsOne().catch(() => false));
    }
    const isRunning = async () => (await queues.get('periodic').getWaitingCount()) > 0;
    await eventually('a schedule has added its job', () => isRunning().catch(() => false));
  });

  it('keeps the rate limits', async () => {
    const { platform, proxy } = behind;
    const { workspaceId, key } = await platform.seed.workspace();
    await proxy[fault]();
    const statuses: number[] = [];
    for (let used = 0; used < 5; used++) {
      statuses.push((await platform.api.as(key).get(`/v1/workspaces/${workspaceId}`)).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});

describe.each(['cut', 'silence'] as const)('while MongoDB is unavailable (%s)', (fault) => {
  let behind: Faulty;
  let platform: Platform;
  let proxy: FaultProxy;
  let workspace: SeededWorkspace;
  let before: Record<string, unknown[]>;

  beforeAll(async () => {
    behind = await startBehind('MONGODB_URI');
    ({ platform, proxy } = behind);
    workspace = await platform.seed.workspace();
    before = await readContent(behind.database);
    await proxy[fault]();
  });
  afterAll(() => behind.close());

  const read = () => platform.api.as(workspace.owner.key).get(`/v1/workspaces/${workspace.workspaceId}`);
  const writes = () => {
    const api = platform.api.as(workspace.owner.key).in(workspace.workspaceId);
    const path = `/v1/workspaces/${workspace.workspaceId}`;
    return [
      () => api.patch(path).send({ name: 'Renamed' }),
      () => api.post(`${path}/members`).send({ email: 'somebody@example.com' }),
      () => api.post('/v1/api-keys').set('Idempotency-Key', 'while-away').send({ name: 'While away' }),
    ];
  };

  it('answers 503 Form A, without internal details', async () => {
    const response = await read();
    expectFormA(response, 503, 'try again');
    expect(JSON.stringify(response.body)).not.toMatch(/mongo|127\.0\.0\.1|ECONN/i);
  });

  it('answers 503 Form A to writes, with and without an Idempotency-Key', async () => {
    for (const write of writes()) expectFormA(await write(), 503, 'try again');
  });

  it('detects it after its own short timeout, not after the driver’s long one', () => {
    const expected = {
      cut: 'ECONN|MongoServerSelectionError|MongoNetworkError',
      // The driver’s own monitor may notice it first.
      silence: 'MongoOperationTimeoutError|MongoServerSelectionError',
    }[fault];
    expect(platform.logged()).toMatch(new RegExp(expected));
  });

  it('is alive but not ready', async () => {
    expect((await platform.api.get('/health/live')).status).toBe(200);
    const response = await platform.api.get('/health/ready');
    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ status: 'unavailable', checks: { mongodb: { status: 'down' } } });
  });

  it('recovers automatically', async () => {
    await proxy.restore();
    await eventually('ready', async () => (await platform.api.get('/health/ready')).status === 200);
    await eventually('answers', async () => (await read()).status === 200);
    // No refused write is carried out late.
    expect(await readContent(behind.database)).toEqual(before);
    for (const write of writes()) expect(Math.floor((await write()).status / 100)).toBe(2);
  });
});

describe.each(['cut', 'silence'] as const)('a worker without MongoDB (%s)', (fault) => {
  it('recovers automatically: a job that became due meanwhile runs afterwards, once, and is not given up', async () => {
    const behind = await startBehind('MONGODB_URI', { worker: true, env: { WORKSPACE_RETENTION_DAYS: '1' } });
    const { platform, proxy, database } = behind;
    const { workspaceId, owner } = await platform.seed.workspace();
    await platform.api.as(owner.key).delete(`/v1/workspaces/${workspaceId}`).expect(200);
    platform.clock.advance(25 * 60 * MINUTE_MS);
    await proxy[fault]();
    const [job] = await platform.app.get(QueuesService).get('workspace-purge').getDelayed();
    await job!.promote();
    await eventually('an attempt fails', () => platform.logged().includes('Job failed'));
    expect(await database.collection('workspaces').countDocuments()).toBe(1);

    await proxy.restore();
    await eventually(
      'the job is done',
      async () => (await database.collection('workspaces').countDocuments()) === 0,
      60_000,
    );
    await platform.drain();
    expect(await platform.app.get(DeadJobQueue).newest(10)).toEqual([]);
    expect(platform.logged().split('Workspace purged')).toHaveLength(2);
    await behind.close();
  });
});
