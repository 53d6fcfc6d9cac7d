import { getConnectionToken } from '@nestjs/mongoose';
import { QueuesService } from '@platform/queues';
import { eventually, FaultProxy } from '@testing';
import { type Connection, Types } from 'mongoose';
import { expectFormB, type Platform, startPlatform } from '../harness';
import { bsonField } from './bson-field';
import { PlatformProcess } from './processes';

/** Several batches of the erasure job. */
const RECORDS = 3_000;
const WRITES = 12;

describe('kill -9', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform({ env: { WORKSPACE_RETENTION_DAYS: '0' } });
  });
  afterAll(() => platform.close());

  const database = () => platform.app.get<Connection>(getConnectionToken());

  /** A process with MongoDB behind a proxy, which stops it at an exact point; the test kills it there. */
  async function behindProxy(app: 'api' | 'worker'): Promise<{ doomed: PlatformProcess; proxy: FaultProxy }> {
    const proxy = new FaultProxy(platform.config.mongodbUri);
    const uri = await proxy.start();
    return { doomed: await PlatformProcess.of(app, platform.config, { MONGODB_URI: uri }), proxy };
  }

  describe('of the API', () => {
    it.each([
      ['before a commit', {}],
      ['after a commit whose answer was lost', { carriedOut: true }],
    ])(
      'during many writes, %s, duplicates none when they are repeated, and leaves none half done',
      async (_at, options) => {
        const workspace = await platform.seed.workspace();
        const unique = workspace.workspaceId;
        const create = (api: PlatformProcess, index: number) =>
          api.api
            .as(workspace.owner.key)
            .post('/v1/workspaces')
            .set('Idempotency-Key', `${unique}-${index}`)
            .send({ name: `Number ${index} of ${unique}` });
        const all = Array.from({ length: WRITES }, (_value, index) => index);

        const { doomed, proxy } = await behindProxy('api');
        await doomed.start();
        const reached = proxy.at('commitTransaction', 'silence', { nth: 4, ...options });
        const inFlight = all.map((index) =>
          create(doomed, index).then(
            ({ status }) => status,
            () => 'interrupted',
          ),
        );
        await reached;
        await doomed.end('SIGKILL');
        await proxy.cut();
        const outcomes = await Promise.all(inFlight);
        expect(outcomes.filter((outcome) => outcome === 'interrupted').length).toBeGreaterThan(0);
        expect(outcomes.filter((outcome) => outcome !== 'interrupted' && outcome !== 201)).toEqual([]);

        const successor = await PlatformProcess.of('api', platform.config);
        await successor.start();
        const answers = await Promise.all(all.map((index) => create(successor, index)));
        for (const [index, answer] of answers.entries()) {
          // 409: the first process crashed during the request; the client must check, and nothing is done twice.
          if (answer.status !== 201) expectFormB(answer, 409, 'IDEMPOTENCY_CONFLICT');
          if (outcomes[index] === 201) expect(answer.headers['idempotent-replayed']).toBe('true');
        }
        const { body } = await successor.api.as(workspace.owner.key).get('/v1/workspaces?limit=100');
        const names = (body as { data: { name: string }[] }).data.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
        expect(names.length).toBeGreaterThan(outcomes.filter((outcome) => outcome === 201).length);
        // Each existing workspace has its audit entry: both were written in one transaction.
        const audited = await database().collection('audit_entries').countDocuments({ action: 'workspace.created' });
        expect(audited).toBe(await database().collection('workspaces').countDocuments());
        expect(await successor.end('SIGTERM')).toBe(0);
      },
    );
  });

  describe('of the worker', () => {
    const entries = (workspaceId: string) =>
      Array.from({ length: RECORDS }, (_value, index) => ({
        workspaceId: new Types.ObjectId(workspaceId),
        action: 'workspace.updated',
        sequence: index,
        createdAt: new Date(),
      }));
    const left = (workspaceId: string) =>
      database()
        .collection('audit_entries')
        .countDocuments({ workspaceId: new Types.ObjectId(workspaceId) });
    const known = (workspaceId: string) =>
      database()
        .collection('workspaces')
        .countDocuments({ _id: new Types.ObjectId(workspaceId) });

    it('in the middle of a job loses nothing: another worker completes it', async () => {
      const erased = await platform.seed.workspace();
      const spared = await platform.seed.workspace();
      await database()
        .collection('audit_entries')
        .insertMany([...entries(erased.workspaceId), ...entries(spared.workspaceId)]);
      const before = await left(spared.workspaceId);

      const { doomed, proxy } = await behindProxy('worker');
      await doomed.start();
      // The first batch is erased; the command for the second one never arrives.
      const reached = proxy.at(bsonField({ delete: 'audit_entries' }), 'silence', { nth: 2 });
      await platform.api.as(erased.owner.key).delete(`/v1/workspaces/${erased.workspaceId}`).expect(200);
      await reached;
      await doomed.end('SIGKILL');
      await proxy.cut();
      const rest = await left(erased.workspaceId);
      expect(rest).toBeGreaterThan(0);
      expect(rest).toBeLessThan(RECORDS);
      expect(await known(erased.workspaceId)).toBe(1);
      expect(await platform.app.get(QueuesService).get('workspace-purge').getActiveCount()).toBe(1);

      const second = await PlatformProcess.of('worker', platform.config);
      await second.start();
      await eventually('everything is erased', async () => (await known(erased.workspaceId)) === 0, 60_000);
      expect(await left(erased.workspaceId)).toBe(0);
      expect(await left(spared.workspaceId)).toBe(before);
      expect(await second.end('SIGTERM')).toBe(0);
    });
  });

  describe('SIGTERM', () => {
    it('lets the API answer every request in progress, then ends with 0', async () => {
      const api = await PlatformProcess.of('api', platform.config);
      await api.start();
      const workspace = await platform.seed.workspace();
      const client = api.api.as(workspace.owner.key);
      const requests = Array.from({ length: 20 }, () =>
        client.get(`/v1/workspaces/${workspace.workspaceId}`).then(({ status }) => status),
      );
      await Promise.race(requests);
      const ended = api.end('SIGTERM');
      const outcomes = await Promise.all(requests);
      expect(outcomes).toEqual(Array.from({ length: 20 }, () => 200));
      expect(await ended).toBe(0);
    });

    it('refuses to start with an invalid configuration, and names every error', async () => {
      const api = await PlatformProcess.of('api', platform.config, { LOG_LEVEL: 'loud', SECRET_KEYS: '' });
      const refused = await api.start().then(
        () => '',
        (error: unknown) => String(error),
      );
      expect(refused).toContain('LOG_LEVEL must be one of');
      expect(refused).toContain('SECRET_KEYS is required');
      expect(api.output).toContain('LOG_LEVEL must be one of');
      expect(api.output).toContain('SECRET_KEYS is required');
      expect(await api.end('SIGTERM')).toBe(1);
    });
  });
});
