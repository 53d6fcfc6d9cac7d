import { getConnectionToken } from '@nestjs/mongoose';
import { rounds } from '@testing';
import { type Connection, Types } from 'mongoose';
import { readyCampaign } from '../campaigns/campaigns';
import { expectFormA, expectFormB, type SeededWorkspace } from '../harness';
import { Leads } from '../leads/leads';
import { auditedActions, dataOf, ISO, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { addresses, type Job, Jobs, PATH } from './jobs';

const type = 'email_verification';
/** More than one batch of the database. */
const MANY = rounds(50_000, 1_200);
const RACERS = rounds(200, 20);
const PRIZES = (RACERS * 3) / 5;

describe('POST /v1/enrichment/jobs', () => {
  let jobs: Jobs;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    jobs = await Jobs.start({ worker: false });
  });
  afterAll(() => jobs.close());
  const anotherWorkspace = async () => {
    workspace = await jobs.platform.seed.workspace({ credits: 100 });
  };

  const post = (body: object) => jobs.post(workspace, body);

  /** Number of records of the workspace: jobs, items, and staged items without a job. */
  async function kept(): Promise<number[]> {
    const connection = jobs.platform.app.get<Connection>(getConnectionToken());
    const filter = { workspaceId: new Types.ObjectId(workspace.workspaceId) };
    return Promise.all(
      ['enrichment_jobs', 'enrichment_items', 'enrichment_staged_items'].map((name) =>
        connection.collection(name).countDocuments(filter),
      ),
    );
  }

  describe('with a valid request', () => {
    beforeEach(anotherWorkspace);

    it('creates a pending job with all its fields, and reserves its credits', async () => {
      const response = await post({ type, emails: ['ada@example.com', 'no address', 'ADA@example.com'] });
      expect(response.status).toBe(201);
      expect(response.body).toEqual({
        success: true,
        data: {
          id: expect.stringMatching(/^ev_\d{13}_[0-9a-f]{12}$/) as unknown,
          type,
          status: 'pending',
          metadata: { totalItems: 2, processedItems: 0, successCount: 0, failedCount: 0, creditsUsed: 0 },
          totalLeads: 2,
          duplicateItems: 1,
          startedAt: null,
          completedAt: null,
          createdAt: ISO,
          updatedAt: ISO,
        },
      });
      const { id, createdAt } = (response.body as { data: Job }).data;
      expect(Number(id.split('_')[1])).toBe(Date.parse(createdAt));
      expect(await jobs.credits(workspace)).toEqual({ balance: 98, reserved: 2 });
      expect((await auditedActions(jobs.platform, workspace))[0]).toBe('enrichment_job.created');
      expect(await kept()).toEqual([1, 2, 0]);
    });

    it('includes the leads of a campaign that the list shows with the same filters', async () => {
      const { _id: campaignId } = await readyCampaign(jobs.platform, workspace);
      await new Leads(jobs.platform, workspace, campaignId).add(
        'ada@acme.example',
        'bob@acme.example',
        'eve@x.example',
      );
      expect(dataOf<Job>(await post({ type, campaignId })).totalLeads).toBe(3);
      expect(dataOf<Job>(await post({ type, campaignId, filters: { search: 'acme' } })).totalLeads).toBe(2);
      expectFormB(
        await post({ type, campaignId, filters: { status: 'completed' } }),
        400,
        'VALIDATION_ERROR',
        'campaignId',
      );
    });

    it('creates one job for two requests with one Idempotency-Key', async () => {
      const send = () =>
        jobs.platform.api
          .as(workspace.key)
          .post(PATH)
          .set('Idempotency-Key', 'one')
          .send({ type, emails: ['a@b.example'] });
      const [first, second] = [await send(), await send()];
      expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true' });
      expect(second.body).toEqual(first.body);
      expect(await kept()).toEqual([1, 1, 0]);
      expect(await jobs.credits(workspace)).toEqual({ balance: 99, reserved: 1 });
    });
  });

  describe('with an invalid request', () => {
    beforeAll(anotherWorkspace);

    it.each<[string, object, string]>([
      ['no type', { emails: ['a@b.example'] }, 'type'],
      ['an unknown type', { type: 'horoscope', emails: ['a@b.example'] }, 'type'],
      ['no source', { type }, 'emails'],
      ['two sources', { type, emails: ['a@b.example'], campaignId: UNKNOWN_ID }, 'campaignId'],
      ['filters of nothing', { type, emails: ['a@b.example'], filters: {} }, 'filters'],
      ['an unknown filter', { type, campaignId: UNKNOWN_ID, filters: { colour: 'red' } }, 'filters.colour'],
      ['an unknown campaign', { type, campaignId: UNKNOWN_ID }, 'campaignId'],
      ['an empty list', { type, emails: [] }, 'emails'],
      ['a text instead of a list', { type, emails: 'a@b.example' }, 'emails'],
      ['numbers', { type, emails: [5] }, 'emails'],
      ['operators', { type, emails: [{ $ne: null }] }, 'emails'],
      ['a null character', { type, emails: ['a\0@b.example'] }, 'emails'],
      ['half a surrogate pair', { type, emails: ['a\ud800@b.example'] }, 'emails'],
      ['1001 characters', { type, emails: ['x'.repeat(1_001)] }, 'emails'],
      ['50 001 addresses', { type, emails: Array.from({ length: 50_001 }, (_, at) => `${at}@b.example`) }, 'emails'],
      ['a status', { type, emails: ['a@b.example'], status: 'completed' }, 'status'],
      ['figures', { type, emails: ['a@b.example'], metadata: { creditsUsed: 0 } }, 'metadata'],
      ['an id', { type, emails: ['a@b.example'], id: 'ev_1_000000000000' }, 'id'],
    ])('refuses %s', async (_what, body, field) => {
      expectFormB(await post(body), 400, 'VALIDATION_ERROR', field);
    });

    it('names the missing credits', async () => {
      const response = await post({ type, emails: addresses(101) });
      expectFormB(response, 402, 'INSUFFICIENT_CREDITS');
      expect(JSON.stringify(response.body)).toContain('This costs 101 credits and the workspace has 100; missing: 1');
    });

    it('treats a malformed campaign id and another workspace’s campaign as unknown', async () => {
      const other = await jobs.platform.seed.workspace();
      const { _id } = await readyCampaign(jobs.platform, other);
      await new Leads(jobs.platform, other, _id).add('ada@acme.example');
      for (const campaignId of [...MALFORMED_IDS, _id]) {
        expectFormB(await post({ type, campaignId }), 400, 'VALIDATION_ERROR', 'campaignId');
      }
    });

    it('accepts 50 000 addresses in one body of up to 2 MB, if the credits suffice', async () => {
      const emails = addresses(50_000, 'a-company.example');
      expect(JSON.stringify({ type, emails }).length).toBeGreaterThan(1.5 * 1024 * 1024);
      const response = await post({ type, emails });
      expectFormB(response, 402, 'INSUFFICIENT_CREDITS');
      expect(JSON.stringify(response.body)).toContain('This costs 50000 credits and the workspace has 100');
      expectFormA(await post({ type, emails: ['x'.repeat(2 * 1024 * 1024)] }), 413);
    });

    it('requires a key that may write', async () => {
      const readOnly = await jobs.platform.seed.workspaceKey(workspace.workspaceId, ['read']);
      expectFormA(await jobs.post({ key: readOnly }, { type, emails: ['a@b.example'] }), 403);
      expectFormA(await jobs.platform.api.post(PATH).send({ type, emails: ['a@b.example'] }), 401);
    });

    it('has created and reserved nothing by any of these', async () => {
      expect(await kept()).toEqual([0, 0, 0]);
      expect(await jobs.credits(workspace)).toEqual({ balance: 100, reserved: 0 });
    });
  });

  it(`creates a job of ${MANY} addresses`, async () => {
    const rich = await jobs.platform.seed.workspace({ credits: MANY });
    const job = dataOf<Job>(await jobs.post(rich, { type, emails: addresses(MANY, 'a-company.example') }).expect(201));
    expect(job.metadata.totalItems).toBe(MANY);
    expect(await jobs.credits(rich)).toEqual({ balance: 0, reserved: MANY });
  }, 60_000);

  it(`grants the ${PRIZES} credits to exactly as many of ${RACERS} racing requests`, async () => {
    const rich = await jobs.platform.seed.workspace({ credits: PRIZES });
    // A key has 100 requests in ten seconds.
    const keys = [rich.key, rich.owner.key, await jobs.platform.seed.workspaceKey(rich.workspaceId)];
    const answers = await Promise.all(
      addresses(RACERS).map((email, at) =>
        jobs.platform.api
          .as(keys[at % keys.length]!)
          .in(rich.workspaceId)
          .post(PATH)
          .send({ type, emails: [email] }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(PRIZES);
    expect(statuses.filter((status) => status === 402)).toHaveLength(RACERS - PRIZES);
    expect(await jobs.credits(rich)).toEqual({ balance: 0, reserved: PRIZES });
    const { pagination } = (await jobs.get(rich, '')).body as { pagination: { total: number } };
    expect(pagination.total).toBe(PRIZES);
  }, 60_000);
});
