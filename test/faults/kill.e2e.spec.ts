import { getConnectionToken } from '@nestjs/mongoose';
import { Queues } from '@platform/queues';
import { eventually } from '@testing';
import { type Connection, Types } from 'mongoose';
import { expectFormB, type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { PlatformProcess } from './processes';

const RECORDS = 2_000;

describe('kill -9', () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await startPlatform({ env: { WORKSPACE_RETENTION_DAYS: '0' } });
  });
  afterAll(() => platform.close());

  const database = () => platform.app.get<Connection>(getConnectionToken());

  describe('of the API', () => {
    let api: PlatformProcess;
    let workspace: SeededWorkspace;

    beforeAll(async () => {
      api = await PlatformProcess.of('api', platform.config);
      workspace = await platform.seed.workspace();
    });
    afterEach(() => api.end('SIGKILL'));

    const create = (index: number) =>
      api.api
        .as(workspace.owner.key)
        .post('/v1/workspaces')
        .set('Idempotency-Key', `created-${index}`)
        .send({ name: `Number ${index}` });

    it('in the middle of many writes doubles none when the client repeats them, and leaves none half done', async () => {
      await api.start();
      const inFlight = Array.from({ length: 12 }, (_value, index) => create(index).catch(() => undefined));
      await inFlight[0];
      await api.end('SIGKILL');
      await Promise.all(inFlight);
      await api.start();

      const answers = await Promise.all(Array.from({ length: 12 }, (_value, index) => create(index)));
      for (const answer of answers) {
        // 409: the first process died on it; the client is told to look, and nothing is done twice.
        if (answer.status !== 201) expectFormB(answer, 409, 'IDEMPOTENCY_CONFLICT');
      }
      const { body } = await api.api.as(workspace.owner.key).get('/v1/workspaces?limit=100');
      const names = (body as { data: { name: string }[] }).data.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      // Each workspace that exists has its audit entry: the two were written together.
      const audited = await database().collection('audit_entries').countDocuments({ action: 'workspace.created' });
      expect(audited).toBe(await database().collection('workspaces').countDocuments());
    });
  });

  describe('of the worker', () => {
    it('in the middle of a job loses nothing: another worker finishes it', async () => {
      const doomed = await platform.seed.workspace();
      const spared = await platform.seed.workspace();
      const entries = (workspaceId: string) =>
        Array.from({ length: RECORDS }, (_value, index) => ({
          workspaceId: new Types.ObjectId(workspaceId),
          action: 'workspace.updated',
          sequence: index,
          createdAt: new Date(),
        }));
      await database()
        .collection('audit_entries')
        .insertMany([...entries(doomed.workspaceId), ...entries(spared.workspaceId)]);
      const left = (workspaceId: string) =>
        database()
          .collection('audit_entries')
          .countDocuments({ workspaceId: new Types.ObjectId(workspaceId) });
      const before = await left(spared.workspaceId);

      const first = await PlatformProcess.of('worker', platform.config);
      await first.start();
      expect((await platform.api.as(doomed.owner.key).delete(`/v1/workspaces/${doomed.workspaceId}`)).status).toBe(200);
      await eventually(
        'the job runs',
        async () =>
          (await platform.app.get(Queues).get('workspace-purge').getActiveCount()) > 0 ||
          (await left(doomed.workspaceId)) === 0,
      );
      await first.end('SIGKILL');

      const second = await PlatformProcess.of('worker', platform.config);
      await second.start();
      await eventually(
        'everything is erased',
        async () =>
          (await database()
            .collection('workspaces')
            .countDocuments({ _id: new Types.ObjectId(doomed.workspaceId) })) === 0,
        60_000,
      );
      expect(await left(doomed.workspaceId)).toBe(0);
      expect(await left(spared.workspaceId)).toBe(before);
      expect(await second.end('SIGTERM')).toBe(0);
    }, 90_000);
  });

  describe('its gentle sister, SIGTERM', () => {
    it('lets the API answer every request that it has begun, then ends with 0', async () => {
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

    it('refuses to start on a wrong configuration, with everything that is wrong', async () => {
      const api = await PlatformProcess.of('api', platform.config, { LOG_LEVEL: 'loud', SECRET_KEYS: '' });
      await expect(api.start()).rejects.toThrow(/LOG_LEVEL[\s\S]*|SECRET_KEYS[\s\S]*/);
      expect(api.output).toContain('LOG_LEVEL must be one of');
      expect(api.output).toContain('SECRET_KEYS is required');
      expect(await api.end('SIGTERM')).toBe(1);
    });
  });
});
