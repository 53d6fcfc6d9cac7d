import { decisive } from '../../libs/domain/enrichment/testing';
import { expectFormB, type SeededWorkspace } from '../harness';
import { auditedActions, dataOf } from '../workspaces/people';
import { addresses, type Job, Jobs, PATH } from './jobs';

describe('the end of an enrichment job', () => {
  let jobs: Jobs;
  let workspace: SeededWorkspace;

  beforeAll(async () => {
    jobs = await Jobs.start();
  });
  afterAll(() => jobs.close());
  beforeEach(async () => {
    jobs.work.reset();
    workspace = await jobs.platform.seed.workspace({ credits: 100 });
  });

  const api = () => jobs.platform.api.as(workspace.key);
  const cancel = ({ id }: Job) => api().post(`${PATH}/${id}/cancel`);

  /** A job with three finished items; the others wait. */
  async function half(): Promise<Job> {
    jobs.work.does = ({ email }) =>
      email < 'person-00003' ? decisive() : { kind: 'later', at: jobs.platform.clock.in(60_000), reason: 'greylisted' };
    const job = await jobs.create(workspace, ...addresses(10));
    await jobs.platform.drain();
    return job;
  }

  it('cancels a job: finished items stay and are charged, the rest is released; repeating it changes nothing', async () => {
    const job = await half();
    const cancelled = dataOf<Job>(await cancel(job).expect(200));
    expect(cancelled).toMatchObject({
      id: job.id,
      status: 'cancelled',
      metadata: { processedItems: 3, creditsUsed: 3 },
    });
    expect(cancelled.completedAt).not.toBeNull();
    expect(await jobs.credits(workspace)).toEqual({ balance: 97, reserved: 0 });
    expect(dataOf<Job>(await cancel(job).expect(200))).toEqual(cancelled);
    expect(await jobs.results(workspace, job)).toHaveLength(3);
    const actions = await auditedActions(jobs.platform, workspace);
    expect(actions.filter((action) => action === 'enrichment_job.cancelled')).toHaveLength(1);
  });

  it('is refused for a completed job', async () => {
    const job = await jobs.over(workspace, await jobs.create(workspace, 'ada@example.com'));
    expectFormB(await cancel(job), 409, 'CONFLICT');
    expect(await jobs.credits(workspace)).toEqual({ balance: 99, reserved: 0 });
  });

  it('answers 404 to another workspace', async () => {
    const other = await jobs.platform.seed.workspace({ credits: 10 });
    const theirs = await jobs.create(other, 'ada@example.com');
    expectFormB(await cancel(theirs), 404, 'NOT_FOUND');
    expectFormB(await api().delete(`${PATH}/${theirs.id}`), 404, 'NOT_FOUND');
  });

  it('cancels a running job on deletion, and then the job is deleted', async () => {
    const job = await half();
    const response = await api().delete(`${PATH}/${job.id}`);
    expect(response.body).toEqual({ success: true, data: { message: 'Enrichment job deleted' } });
    for (const path of ['', '/results', '/details'])
      expectFormB(await jobs.get(workspace, `/${job.id}${path}`), 404, 'NOT_FOUND');
    expect(await jobs.credits(workspace)).toEqual({ balance: 97, reserved: 0 });
    expectFormB(await api().delete(`${PATH}/${job.id}`), 404, 'NOT_FOUND');
    expect((await auditedActions(jobs.platform, workspace))[0]).toBe('enrichment_job.deleted');
  });

  it('records an event with the figures when a job completes', async () => {
    const job = await jobs.over(workspace, await jobs.create(workspace, 'ada@example.com'));
    const events = dataOf<{ data: unknown }[]>(await api().get('/v1/events?type=enrichment.completed'));
    expect(events.map(({ data }) => data)).toEqual([
      { jobId: job.id, type: 'email_verification', totalItems: 1, successCount: 1, failedCount: 0, creditsUsed: 1 },
    ]);
  });
});
