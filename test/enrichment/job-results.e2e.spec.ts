import { parse } from 'csv-parse/sync';
import { PersonalDataService } from '@domain/privacy';
import { rounds } from '@testing';
import { decisive, unknown } from '../../libs/domain/enrichment/testing';
import { readyCampaign } from '../campaigns/campaigns';
import { expectFormB, type SeededWorkspace } from '../harness';
import { Leads } from '../leads/leads';
import { dataOf, ID } from '../workspaces/people';
import { addresses, type Job, Jobs, type Result } from './jobs';

/** More than one read of an export. */
const MANY = rounds(1_200, 600);
const CHECKED = new Date('2026-11-21T12:00:00.000Z');

interface Page {
  data: Result[];
  pagination: { limit: number; total: number; hasMore: boolean; nextCursor: string | null };
}

describe('the results of enrichment jobs', () => {
  let jobs: Jobs;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    jobs = await Jobs.start();
    workspace = await jobs.platform.seed.workspace({ credits: 5_000 });
  });
  afterAll(() => jobs.close());
  beforeEach(() => {
    jobs.work.reset();
    jobs.work.chunk = 100;
  });

  const page = async ({ id }: Job, query: string) =>
    (await jobs.get(workspace, `/${id}/results?${query}`).expect(200)).body as Page;
  const csv = async ({ id }: Job, query = '') =>
    parse<Record<string, string>>((await jobs.get(workspace, `/${id}/results/export${query}`).expect(200)).text, {
      columns: true,
    });

  async function done(...emails: string[]): Promise<Job> {
    return jobs.over(workspace, await jobs.create(workspace, ...emails));
  }

  it('contain exactly the findings, in the order of the addresses', async () => {
    jobs.work.does = ({ email }) => {
      if (email === 'b') return { kind: 'failed', reason: 'broken' };
      return email === 'c@x.example' ? unknown() : decisive('valid', CHECKED);
    };
    const job = await done('a@x.example', 'b', 'c@x.example');
    const [first, second, third] = await jobs.results(workspace, job);
    expect(first).toEqual({
      _id: ID,
      email: 'a@x.example',
      leadId: null,
      result: 'valid',
      reasons: ['reported'],
      creditsUsed: 1,
      detail: { host: 'mx.example' },
      checkedAt: CHECKED.toISOString(),
    });
    expect(second).toMatchObject({ email: 'b', result: 'failed', reasons: ['broken'], creditsUsed: 0, detail: {} });
    expect(third).toMatchObject({ email: 'c@x.example', result: 'unknown', creditsUsed: 0 });
  });

  it('are paged by cursor, each once, also with a filter', async () => {
    jobs.work.does = ({ email }) => decisive(email < 'person-00004' ? 'invalid' : 'valid');
    const emails = addresses(10);
    const job = await done(...emails);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { data, pagination } = await page(job, `limit=3${cursor}`);
      expect(pagination).toMatchObject({ limit: 3, total: 10 });
      seen.push(...data.map(({ email }) => email));
      cursor = pagination.nextCursor === null ? '' : `&cursor=${pagination.nextCursor}`;
    } while (cursor !== '');
    expect(seen).toEqual(emails);
    const invalid = await page(job, 'limit=3&result=invalid');
    expect(invalid).toMatchObject({ pagination: { total: 4, hasMore: true } });
    expect((await page(job, 'result=nothing')).data).toEqual([]);
    expectFormB(
      await jobs.get(workspace, `/${job.id}/results?result=valid&cursor=${invalid.pagination.nextCursor}`),
      400,
      'VALIDATION_ERROR',
      'cursor',
    );
  });

  it('can be read while the job is processing', async () => {
    jobs.work.does = ({ email }) =>
      email === 'b@x.example'
        ? { kind: 'later', at: jobs.platform.clock.in(60_000), reason: 'greylisted' }
        : decisive();
    const job = await jobs.create(workspace, 'a@x.example', 'b@x.example', 'c@x.example');
    await jobs.platform.drain();
    expect((await jobs.results(workspace, job)).map(({ email }) => email)).toEqual(['a@x.example', 'c@x.example']);
    expect((await csv(job)).map(({ email }) => email)).toEqual(['a@x.example', 'c@x.example']);
  });

  it('name their leads', async () => {
    const { _id: campaignId } = await readyCampaign(jobs.platform, workspace);
    const [leadId] = await new Leads(jobs.platform, workspace, campaignId).add('ada@acme.example');
    const job = dataOf<Job>(await jobs.post(workspace, { type: 'email_verification', campaignId }));
    await jobs.over(workspace, job);
    expect(await jobs.results(workspace, job)).toMatchObject([{ email: 'ada@acme.example', leadId }]);
  });

  it('are exported as CSV through many batches, with the filters of the list', async () => {
    jobs.work.does = ({ email }) => decisive(email < 'person-00100' ? 'invalid' : 'valid', CHECKED);
    const emails = addresses(MANY);
    const job = await done(...emails);
    const response = await jobs.get(workspace, `/${job.id}/results/export`).expect(200);
    expect(response.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="results.csv"',
    });
    expect(response.text).toMatch(/^email,leadId,result,reasons,creditsUsed,checkedAt,detail\r\n/);
    const rows = await csv(job);
    expect(rows.map(({ email }) => email)).toEqual(emails);
    expect(rows[0]).toEqual({
      email: emails[0],
      leadId: '',
      result: 'invalid',
      reasons: 'reported',
      creditsUsed: '1',
      checkedAt: CHECKED.toISOString(),
      detail: '{"host":"mx.example"}',
    });
    expect(await csv(job, '?result=valid')).toHaveLength(MANY - 100);
  }, 60_000);

  it('escape cells that a spreadsheet would execute', async () => {
    const given = ['=1+1', '+SUM(A1)', '-1', '@x', '"quoted", with\r\nlines', 'Zoë@x.example'];
    const job = await done(...given);
    expect((await csv(job)).map(({ email }) => email)).toEqual(["'=1+1", "'+SUM(A1)", "'-1", "'@x", ...given.slice(4)]);
    expect((await jobs.results(workspace, job)).map(({ email }) => email)).toEqual(given);
  });

  it('omit an erased person, and the job still completes', async () => {
    workspace = await jobs.platform.seed.workspace({ credits: 3 });
    jobs.work.does = ({ email }) =>
      email === 'Bob@X.example'
        ? { kind: 'later', at: jobs.platform.clock.in(60_000), reason: 'greylisted' }
        : decisive();
    const job = await jobs.create(workspace, 'ada@x.example', 'Bob@X.example', 'eve@x.example');
    await jobs.platform.drain();
    const erasures = jobs.platform.app.get(PersonalDataService, { strict: false });
    for (const address of ['ada@x.example', 'bob@x.example']) await erasures.erase(workspace.workspaceId, address);
    jobs.work.asked.length = 0;
    jobs.platform.clock.advance(120_000);
    await jobs.sweep();
    expect(await jobs.over(workspace, job)).toMatchObject({
      metadata: { successCount: 2, failedCount: 1, creditsUsed: 2 },
    });
    expect(jobs.work.asked.filter((item) => item.workspaceId.toHexString() === workspace.workspaceId)).toEqual([]);
    const results = await jobs.results(workspace, job);
    expect(results).toMatchObject([
      { email: expect.stringContaining('erased') as unknown, result: 'valid', detail: {} },
      { email: expect.stringContaining('erased') as unknown, result: 'failed', reasons: ['erased'] },
      { email: 'eve@x.example', result: 'valid' },
    ]);
  });
});
