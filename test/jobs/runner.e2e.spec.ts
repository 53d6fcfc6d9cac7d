import { type INestApplicationContext } from '@nestjs/common';
import { AppError, conflict, defineError, unavailable } from '@platform/errors';
import { LogService, MetricsService } from '@platform/observability';
import {
  DeadJobQueue,
  type JobPayload,
  QUEUE_NAMES,
  type QueueName,
  QueuesService,
  RedisClient,
} from '@platform/queues';
import { eventually, testConfigLike } from '@testing';
import { Queue } from 'bullmq';
import { type JobProcessor, JobRunnerService } from '../../apps/worker/src/jobs';
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

/** Replaces the real processor of a queue, and fails in every way. */
class Scripted implements JobProcessor {
  readonly queue = 'credit-expiry' as const;
  readonly seen: JobPayload[] = [];

  constructor(private readonly script: Handle) {}

  handle(payload: JobPayload, signal: AbortSignal): Promise<void> {
    this.seen.push(payload);
    return this.script(payload, signal);
  }
}

describe('running jobs', () => {
  let platform: Platform;
  let worker: INestApplicationContext;

  let runner: JobRunnerService;

  beforeAll(async () => {
    platform = await startPlatform();
    worker = await startTestWorker(platform, { consuming: false });
  });
  afterAll(async () => {
    await worker.close();
    await platform.close();
  });
  beforeEach(() => {
    runner = newRunner();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await runner.drain();
    await platform.app.get(QueuesService).get('credit-expiry').obliterate({ force: true });
  });

  /** A runner with the parts of the worker’s own. @param queues the queues to consume, as in WORKER_QUEUES */
  function newRunner(queues = ''): JobRunnerService {
    return new JobRunnerService(
      testConfigLike(platform.config, { WORKER_QUEUES: queues }),
      worker.get(QueuesService),
      worker.get(RedisClient),
      worker.get(DeadJobQueue),
      worker.get(MetricsService),
      worker.get(LogService),
    );
  }
  function run(script: Handle): Scripted {
    const processor = new Scripted(script);
    runner.start([processor]);
    return processor;
  }
  const add = (id: string, attempts?: number) =>
    platform.app
      .get(QueuesService)
      .get('credit-expiry')
      .add('credit-expiry', { id }, { jobId: id, backoff: 1, ...(attempts ? { attempts } : {}) });
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
      /outreach_job_duration_seconds_count\{queue="credit-expiry",outcome="done"\} 1/,
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
    const drained = runner.drain();
    write();
    await drained;
    expect((await dead()).map(({ jobId }) => jobId)).toContain('slow record');
  });

  it('keeps an exhausted job while its record cannot be written', async () => {
    run(() => Promise.reject(conflict('never')));
    jest.spyOn(worker.get(DeadJobQueue), 'record').mockRejectedValue(new Error('MongoDB is away'));
    await add('unrecorded');
    const queue = platform.app.get(QueuesService).get('credit-expiry');
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
    const drained = runner.drain();
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
    runner.abort();
    await runner.drain();
    const job = await platform.app.get(QueuesService).get('credit-expiry').getJob('long');
    expect(await job!.getState()).toBe('waiting');
    expect(await dead()).not.toContainEqual(expect.objectContaining({ jobId: 'long' }));
  });

  it('consumes only the configured queues', async () => {
    const limited = newRunner('workspace-purge');
    const processor = new Scripted(() => Promise.resolve());
    limited.start([processor]);
    await add('not mine');
    expect(await platform.app.get(QueuesService).get('credit-expiry').getWaitingCount()).toBe(1);
    await limited.drain();
    expect(processor.seen).toEqual([]);
  });

  it('accepts the queue names of release 0.2.0 in WORKER_QUEUES, and logs the new ones', async () => {
    const taken: QueueName[] = [];
    const renamed = newRunner('mailbox-turn, tracking-verdict');
    const take = (queue: QueueName): JobProcessor => ({
      queue,
      handle: () => {
        taken.push(queue);
        return Promise.resolve();
      },
    });
    renamed.start((['mailbox-send', 'hit-classification', 'credit-expiry'] as const).map(take));
    try {
      const queues = platform.app.get(QueuesService);
      await queues.get('mailbox-send').add('mailbox-send', {});
      await queues.get('hit-classification').add('hit-classification', {});
      await eventually('both queues are consumed', () => taken.length === 2);
      expect(taken.toSorted()).toEqual(['hit-classification', 'mailbox-send']);
      expect(platform.logged()).toContain('mailbox-turn is mailbox-send');
    } finally {
      await renamed.drain();
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
    runner.start([]);
    await runner.drain();
    expect(await keysOf('webhook-lane')).toEqual([]);
    expect(await keysOf('webhook-work')).not.toEqual([]);
    await platform.app.get(QueuesService).get('webhook-work').obliterate({ force: true });
  });

  it('consumes every queue exactly once across the worker roles of deploy/kubernetes', async () => {
    const taken: string[] = [];
    const runners = roles.map((queues) => {
      const one = newRunner(queues);
      const take = (queue: QueueName) => async () => void taken.push(`${queue} by ${roles.indexOf(queues)}`);
      one.start(QUEUE_NAMES.map((queue) => ({ queue, handle: take(queue) })));
      return one;
    });
    for (const name of QUEUE_NAMES) await platform.app.get(QueuesService).get(name).add(name, {});
    await eventually('all queues are consumed', () => taken.length >= QUEUE_NAMES.length);
    await platform.drain();
    await Promise.all(runners.map((one) => one.drain()));
    const meant = roles.flatMap((queues, role) => queues.split(', ').map((queue) => `${queue} by ${role}`));
    expect(taken.toSorted()).toEqual(meant.toSorted());
  });
});
