import { type INestApplicationContext } from '@nestjs/common';
import { AppError, conflict, defineError, unavailable } from '@platform/errors';
import { MetricsService } from '@platform/observability';
import { DeadJobQueue, type JobPayload, QUEUE_NAMES, QueuesService, RedisClient } from '@platform/queues';
import { eventually } from '@testing';
import { Queue } from 'bullmq';
import { WorkspacePurgeProcessor } from '../../apps/worker/src/identity/workspace-purge.processor';
import { getQueueName, JobDecoratorService, type JobProcessor, JobWorkerService } from '../../apps/worker/src/jobs';
import { MailboxCheckProcessor } from '../../apps/worker/src/mailboxes/mailbox-check.processor';
import { PeriodicProcessor } from '../../apps/worker/src/periodic/periodic.processor';
import { selectProcessors } from '../../apps/worker/src/processors';
import { MailboxSendProcessor } from '../../apps/worker/src/sending/mailbox-send.processor';
import { type Platform, startPlatform, startTestWorker } from '../harness';
import { documentsOf } from '../operations/files';

interface Worker {
  readonly spec: { template: { spec: { containers: { env: { name: string; value: string }[] }[] } } };
}

/** WORKER_QUEUES of each worker in the manifests. */
const roles = documentsOf<Worker>('deploy/kubernetes/base/worker.yaml').flatMap(({ spec }) =>
  spec.template.spec.containers.map(({ env }) => env[0]?.value ?? ''),
);

type Handle = (payload: JobPayload, signal: AbortSignal) => Promise<void>;

const QUEUE = 'workspace-purge';

describe('running jobs', () => {
  let platform: Platform;
  let worker: INestApplicationContext;

  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterAll(() => platform.close());
  beforeEach(async () => {
    worker = await startTestWorker(platform, { consuming: true, env: { WORKER_QUEUES: QUEUE } });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await worker.close();
    await platform.app.get(QueuesService).get(QUEUE).obliterate({ force: true });
  });

  /** Replaces the work of the processor, so that it fails in each possible way. */
  function run(script: Handle): { readonly seen: JobPayload[] } {
    const seen: JobPayload[] = [];
    jest.spyOn(worker.get(WorkspacePurgeProcessor), 'handle').mockImplementation((payload, signal) => {
      seen.push(payload);
      return script(payload, signal);
    });
    return { seen };
  }
  const add = (id: string, attempts?: number) =>
    platform.app
      .get(QueuesService)
      .get(QUEUE)
      .add(QUEUE, { id }, { jobId: id, backoff: 1, ...(attempts ? { attempts } : {}) });
  const dead = async () =>
    (await worker.get(DeadJobQueue).newest(50)).map(({ jobId, attempts, error, payload }) => ({
      jobId,
      attempts,
      error,
      payload,
    }));

  it('passes the payload to the processor, measures it and logs with the job’s context', async () => {
    const processor = run(() => Promise.resolve());
    await add('plain');
    await platform.drain();
    expect(processor.seen).toEqual([{ id: 'plain' }]);
    expect(await worker.get(MetricsService).registry.metrics()).toMatch(
      /outreach_job_duration_seconds_count\{queue="workspace-purge",job_name="workspace-purge",outcome="done"\} 1/,
    );
  });

  it('retries a temporary failure until it succeeds', async () => {
    let failures = 2;
    const processor = run(() => (failures-- > 0 ? Promise.reject(unavailable('away')) : Promise.resolve()));
    await add('temporary', 5);
    await eventually('third attempt', () => processor.seen.length === 3);
    await platform.drain();
    expect((await dead()).filter(({ jobId }) => jobId === 'temporary')).toEqual([]);
    expect(platform.logged()).toContain('"jobId":"temporary"');
  });

  it('gives up after the last attempt and stores a record', async () => {
    const processor = run(() => Promise.reject(unavailable('still away')));
    await add('exhausted', 2);
    await eventually('a dead job', async () => (await dead()).some(({ jobId }) => jobId === 'exhausted'));
    expect(processor.seen).toHaveLength(2);
    expect(await dead()).toContainEqual({
      jobId: 'exhausted',
      attempts: 2,
      payload: { id: 'exhausted' },
      error: { code: 'SERVICE_UNAVAILABLE', message: 'still away' },
    });
  });

  const NEEDS_HUMAN = defineError('TEST_NEEDS_HUMAN', 'upstream', 'For this test.', 'needs-human');
  const AMBIGUOUS = defineError('TEST_AMBIGUOUS', 'upstream', 'For this test.', 'ambiguous');

  it.each([
    ['permanent', conflict('never'), 'CONFLICT'],
    ['needs-human', new AppError(NEEDS_HUMAN, 'sign in again'), 'TEST_NEEDS_HUMAN'],
    ['ambiguous', new AppError(AMBIGUOUS, 'may have happened'), 'TEST_AMBIGUOUS'],
  ])('does not retry a %s failure', async (name, error, code) => {
    const processor = run(() => Promise.reject(error));
    await add(name, 5);
    await eventually('a dead job', async () => (await dead()).some(({ jobId }) => jobId === name));
    expect(processor.seen).toHaveLength(1);
    expect((await dead()).find(({ jobId }) => jobId === name)).toMatchObject({
      attempts: 1,
      error: { code, message: error.message },
    });
  });

  it('writes the record before it removes the job', async () => {
    run(() => Promise.reject(conflict('never')));
    let write = (): void => {};
    const record = DeadJobQueue.prototype.record.bind(worker.get(DeadJobQueue));
    jest.spyOn(worker.get(DeadJobQueue), 'record').mockImplementation(async (job) => {
      await new Promise<void>((resolve) => (write = resolve));
      await record(job);
    });
    await add('slow record');
    await eventually('the record is being written', () => write.name !== 'write');
    const drained = worker.get(JobWorkerService).drain();
    write();
    await drained;
    expect((await dead()).map(({ jobId }) => jobId)).toContain('slow record');
  });

  it('keeps an exhausted job while its record cannot be written', async () => {
    run(() => Promise.reject(conflict('never')));
    jest.spyOn(worker.get(DeadJobQueue), 'record').mockRejectedValue(new Error('MongoDB is away'));
    await add('unrecorded');
    const queue = platform.app.get(QueuesService).get(QUEUE);
    await eventually('the job waits for another attempt', async () => (await queue.getDelayedCount()) === 1);
    expect(await (await queue.getJob('unrecorded'))!.getState()).toBe('delayed');
  });

  it('masks secrets in the record of a failure', async () => {
    run(() => Promise.reject(conflict(`refused sk_${'ab12'.repeat(16)}`)));
    await add('secretive');
    await eventually('a dead job', async () => (await dead()).some(({ jobId }) => jobId === 'secretive'));
    expect(JSON.stringify(await dead())).not.toContain('ab12ab12');
  });

  it('restores a dead job once on the operator’s request', async () => {
    let broken = true;
    const processor = run(() => (broken ? Promise.reject(conflict('broken')) : Promise.resolve()));
    await add('revived');
    await eventually('a dead job', async () => (await dead()).some(({ jobId }) => jobId === 'revived'));
    broken = false;
    const { _id } = (await worker.get(DeadJobQueue).newest(50)).find(({ jobId }) => jobId === 'revived')!;
    await worker.get(DeadJobQueue).retry(_id);
    await eventually('second run', () => processor.seen.length === 2);
    await expect(worker.get(DeadJobQueue).retry(_id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(worker.get(DeadJobQueue).retry('malformed')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('lets a running job finish before it stops, and starts no new one', async () => {
    let finish = (): void => {};
    const processor = run(() => new Promise<void>((resolve) => (finish = resolve)));
    await add('first');
    await eventually('the job runs', () => processor.seen.length === 1);
    const drained = worker.get(JobWorkerService).drain();
    await add('second');
    finish();
    await drained;
    expect(processor.seen).toEqual([{ id: 'first' }]);
  });

  it('aborts a running job by its signal at the end of the shutdown; the job returns to the queue and uses no attempt', async () => {
    const processor = run(
      (_payload, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    );
    await add('long', 1);
    await eventually('the job runs', () => processor.seen.length === 1);
    worker.get(JobDecoratorService).abort();
    await worker.get(JobWorkerService).drain();
    const job = await platform.app.get(QueuesService).get(QUEUE).getJob('long');
    expect(await job!.getState()).toBe('waiting');
    expect(await dead()).not.toContainEqual(expect.objectContaining({ jobId: 'long' }));
  });

  it('consumes only the queues that WORKER_QUEUES names', async () => {
    await worker.close();
    worker = await startTestWorker(platform, { consuming: true, env: { WORKER_QUEUES: 'mailbox-check' } });
    expect(() => worker.get(WorkspacePurgeProcessor, { strict: false })).toThrow(
      'could not find WorkspacePurgeProcessor',
    );
    await add('of another worker');
    expect(worker.get(MailboxCheckProcessor).worker.isRunning()).toBe(true);
    expect(await platform.app.get(QueuesService).get(QUEUE).getWaitingCount()).toBe(1);
  });

  it('refuses an unknown queue in WORKER_QUEUES', async () => {
    await expect(startTestWorker(platform, { consuming: true, env: { WORKER_QUEUES: 'no-such' } })).rejects.toThrow(
      'WORKER_QUEUES names no-such, which is not one of workspace-purge, ',
    );
  });

  it('accepts the queue names of release 0.2.0 in WORKER_QUEUES, and logs the new ones', async () => {
    const taken: string[] = [];
    const env = { WORKER_QUEUES: 'mailbox-turn, credit-expiry' };
    const renamed = await startTestWorker(platform, { consuming: true, env });
    for (const processor of [MailboxSendProcessor, PeriodicProcessor]) {
      jest.spyOn(renamed.get<JobProcessor>(processor), 'handle').mockImplementation(() => {
        taken.push(processor.name);
        return Promise.resolve();
      });
    }
    try {
      const queues = platform.app.get(QueuesService);
      await queues.get('mailbox-send').add('mailbox-send', {});
      await queues.get('periodic').add('credit-expiry', { task: 'credit-expiry' });
      await eventually('both queues are consumed', () => taken.length === 2);
      expect(taken.toSorted()).toEqual(['MailboxSendProcessor', 'PeriodicProcessor']);
      expect(platform.logged()).toContain('mailbox-turn is mailbox-send');
    } finally {
      await renamed.close();
    }
  });

  it('deletes the queues of release 0.2.0 at its start, and no other', async () => {
    const { client } = platform.app.get(RedisClient);
    const { prefix } = platform.app.get(QueuesService);
    const former = new Queue('webhook-lane', { connection: client, prefix });
    await former.add('webhook-lane', { webhookId: 'x' }, { delay: 3_600_000 });
    await former.close();
    await platform.app.get(QueuesService).get('webhook-work').add('webhook-work', {}, { delay: 3_600_000 });
    const keysOf = (queue: string) => client.keys(`${prefix}:${queue}:*`);
    expect(await keysOf('webhook-lane')).not.toEqual([]);
    const next = await startTestWorker(platform, { consuming: true, env: { WORKER_QUEUES: QUEUE } });
    await eventually('the former queue is deleted', async () => (await keysOf('webhook-lane')).length === 0);
    await next.close();
    expect(await keysOf('webhook-work')).not.toEqual([]);
    await platform.app.get(QueuesService).get('webhook-work').obliterate({ force: true });
  });

  it('consumes every queue exactly once across the worker roles of deploy/kubernetes', async () => {
    await worker.close();
    const taken: string[] = [];
    const workers: INestApplicationContext[] = [];
    for (const [role, queues] of roles.entries()) {
      const env = { WORKER_QUEUES: queues };
      const one = await startTestWorker(platform, { consuming: true, env });
      workers.push(one);
      for (const processor of selectProcessors(queues.split(', '))) {
        jest.spyOn(one.get<JobProcessor>(processor), 'handle').mockImplementation(() => {
          taken.push(`${getQueueName(processor)} by ${role}`);
          return Promise.resolve();
        });
      }
    }
    for (const name of QUEUE_NAMES) await platform.app.get(QueuesService).get(name).add(name, {});
    await eventually('all queues are consumed', () => taken.length >= QUEUE_NAMES.length);
    await platform.drain();
    await Promise.all(workers.map((one) => one.close()));
    const meant = roles.flatMap((queues, role) => queues.split(', ').map((queue) => `${queue} by ${role}`));
    expect(taken.toSorted()).toEqual(meant.toSorted());
  });
});
