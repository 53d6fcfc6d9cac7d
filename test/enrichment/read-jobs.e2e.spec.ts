import { getConnectionToken } from '@nestjs/mongoose';
import { eventually } from '@testing';
import { type Connection, Types } from 'mongoose';
import { expectFormB, type SeededWorkspace } from '../harness';
import { dataOf, ISO } from '../workspaces/people';
import { decisive, unknown } from '../../libs/domain/enrichment/testing';
import { addresses, type Job, Jobs } from './jobs';

const SEVEN_DAYS_MS = 7 * 86_400_000;
const LISTED = [
  'createdAt',
  'errorCount',
  'id',
  'metadata',
  'resultCount',
  'status',
  'totalLeads',
  'type',
  'updatedAt',
];
const READ = ['completedAt', 'createdAt', 'id', 'metadata', 'startedAt', 'status', 'totalLeads', 'type', 'updatedAt'];

interface List {
  data: Job[];
  pagination: { page: number; limit: number; total: number; totalPages: number };
}

describe('enrichment jobs', () => {
  let jobs: Jobs;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    jobs = await Jobs.start();
  });
  afterAll(() => jobs.close());
  const anotherWorkspace = async () => {
    workspace = await jobs.platform.seed.workspace({ credits: 1_000 });
  };
  beforeEach(() => {
    jobs.platform.clock.reset();
    jobs.work.reset();
  });

  const list = async (query = '') => (await jobs.get(workspace, query).expect(200)).body as List;

  describe('GET /v1/enrichment/jobs/:jobId', () => {
    beforeEach(anotherWorkspace);

    it('shows a job from pending through processing to completed, with exactly the documented fields', async () => {
      const held = Promise.withResolvers<void>();
      jobs.work.does = async ({ email }) => {
        if (email === 'person-00003@example.com') {
          await held.promise;
          return { kind: 'failed', reason: 'broken' };
        }
        return email === 'person-00002@example.com' ? unknown() : decisive();
      };
      jobs.work.chunk = 3;
      const created = await jobs.create(workspace, ...addresses(4));
      let job = created;
      const isHalf = async () => (job = await jobs.read(workspace, created)).metadata.processedItems === 3;
      await eventually('the first three items are done', isHalf);
      expect(job).toEqual({
        id: created.id,
        type: 'email_verification',
        status: 'processing',
        metadata: { totalItems: 4, processedItems: 3, successCount: 3, failedCount: 0, creditsUsed: 2 },
        totalLeads: 4,
        createdAt: created.createdAt,
        updatedAt: ISO,
        startedAt: ISO,
        completedAt: null,
      });
      held.resolve();
      const done = await jobs.over(workspace, created);
      expect(Object.keys(done).toSorted()).toEqual(READ);
      expect(done).toMatchObject({
        status: 'completed',
        metadata: { totalItems: 4, processedItems: 4, successCount: 3, failedCount: 1, creditsUsed: 2 },
        startedAt: job.startedAt,
        completedAt: ISO,
      });
      expect(await jobs.credits(workspace)).toEqual({ balance: 998, reserved: 0 });
    });

    it('is available for exactly seven days, whether or not it was deleted by then', async () => {
      const job = await jobs.create(workspace, 'ada@example.com');
      await jobs.over(workspace, job);
      const paths = [`/${job.id}`, `/${job.id}/details`, `/${job.id}/results`, `/${job.id}/results/export`];
      const end = Date.parse(job.createdAt) + SEVEN_DAYS_MS;
      jobs.platform.clock.freeze(new Date(end - 1));
      await jobs.platform.tick('enrichment-expiry');
      await jobs.platform.drain();
      for (const path of paths) expect((await jobs.get(workspace, path)).status).toBe(200);
      expect((await list()).pagination.total).toBe(1);

      jobs.platform.clock.freeze(new Date(end));
      const gone = async () => {
        for (const path of paths) {
          const response = await jobs.get(workspace, path);
          expectFormB(response, 404, 'NOT_FOUND');
          expect(JSON.stringify(response.body)).toContain('Enrichment job not found or expired');
        }
        for (const act of ['post', 'delete'] as const) {
          const path = act === 'post' ? `/${job.id}/cancel` : `/${job.id}`;
          expectFormB(await jobs.platform.api.as(workspace.key)[act](`/v1/enrichment/jobs${path}`), 404, 'NOT_FOUND');
        }
        expect(await list()).toMatchObject({ data: [], pagination: { total: 0, totalPages: 0 } });
      };
      await gone();
      jobs.platform.clock.advance(60_000);
      await jobs.platform.tick('enrichment-expiry');
      await jobs.platform.drain();
      await gone();
      const connection = jobs.platform.app.get<Connection>(getConnectionToken());
      for (const name of ['enrichment_jobs', 'enrichment_items', 'enrichment_staged_items']) {
        const left = await connection
          .collection(name)
          .countDocuments({ workspaceId: new Types.ObjectId(workspace.workspaceId) });
        expect([name, left]).toEqual([name, 0]);
      }
    });

    it('gives the same answer to an unknown id, a malformed one and another workspace’s job', async () => {
      const theirs = await jobs.create(await jobs.platform.seed.workspace({ credits: 1 }), 'ada@example.com');
      const ids = [
        theirs.id,
        'ev_1763712000000_000000000000',
        'x',
        '0123456789abcdef01234567',
        '%7B%22$ne%22:null%7D',
        '%00',
      ];
      const bodies = new Set<string>();
      for (const id of ids) {
        const response = await jobs.get(workspace, `/${id}`);
        expectFormB(response, 404, 'NOT_FOUND');
        bodies.add(JSON.stringify(response.body));
      }
      expect(bodies.size).toBe(1);
    });

    it('shows in its details why it failed, and the number of results of each kind', async () => {
      jobs.work.does = ({ email }) => (email < 'person-00002' ? decisive() : unknown());
      const job = await jobs.create(workspace, ...addresses(3));
      const done = await jobs.over(workspace, job);
      expect(dataOf(await jobs.get(workspace, `/${job.id}/details`))).toEqual({
        ...done,
        campaignId: null,
        error: null,
        results: { unknown: 1, valid: 2 },
        expiresAt: new Date(Date.parse(job.createdAt) + SEVEN_DAYS_MS).toISOString(),
      });
    });
  });

  describe('GET /v1/enrichment/jobs', () => {
    describe('with jobs', () => {
      beforeEach(anotherWorkspace);

      it('lists jobs newest first, in numbered pages, with exactly the documented fields', async () => {
        const ids: string[] = [];
        for (let made = 0; made < 5; made += 1) ids.unshift((await jobs.create(workspace, 'ada@example.com')).id);
        const first = await list('?limit=2');
        expect(first.pagination).toEqual({ page: 1, limit: 2, total: 5, totalPages: 3 });
        const pages = [first, await list('?limit=2&page=2'), await list('?limit=2&page=3')];
        expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(ids);
        for (const job of first.data) expect(Object.keys(job).toSorted()).toEqual(LISTED);
        expect(await list('?limit=2&page=4')).toEqual({
          success: true,
          data: [],
          pagination: { page: 4, limit: 2, total: 5, totalPages: 3 },
        });
      });

      it('has 25 jobs per page, and separates results from errors', async () => {
        jobs.work.does = ({ email }) => (email < 'person-00002' ? decisive() : { kind: 'failed', reason: 'broken' });
        await jobs.over(workspace, await jobs.create(workspace, ...addresses(3)));
        const { data, pagination } = await list();
        expect(pagination).toEqual({ page: 1, limit: 25, total: 1, totalPages: 1 });
        expect(data[0]).toMatchObject({ status: 'completed', resultCount: 2, errorCount: 1 });
      });

      it('excludes other workspaces', async () => {
        await jobs.create(await jobs.platform.seed.workspace({ credits: 1 }), 'ada@example.com');
        expect(await list()).toMatchObject({ data: [], pagination: { page: 1, total: 0, totalPages: 0 } });
      });
    });

    it.each([
      'limit=0',
      'limit=101',
      'limit=x',
      'limit=1e1',
      'limit=',
      'page=0',
      'page=-1',
      'page=1.5',
      'page=x',
      'page=1000001',
      'cursor=x',
    ])('refuses %s', async (query) => {
      expectFormB(await jobs.get(workspace, `?${query}`), 400, 'VALIDATION_ERROR', query.split('=')[0]!);
    });
  });
});
