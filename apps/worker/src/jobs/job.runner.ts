import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '@platform/config';
import { AppError, failureOf } from '@platform/errors';
import { Log, Metrics, runInContext } from '@platform/observability';
import { DeadJobs, type JobPayload, Queues, queueTable, type QueueName, RedisConnection } from '@platform/queues';
import { type Job, UnrecoverableError, Worker } from 'bullmq';
import { type JobProcessor } from './job.processor';

/** A worker renews its hold on a job twice in this time; one that does not is taken for dead. */
const LOCK_MS = 15_000;

/** Turns processors into running workers: context, log, metrics, time limit, and retry by kind of failure. */
@Injectable()
export class JobRunner implements OnModuleDestroy {
  readonly #workers: Worker[] = [];
  readonly #stopping = new AbortController();

  constructor(
    private readonly config: Config,
    private readonly queues: Queues,
    private readonly redis: RedisConnection,
    private readonly deadJobs: DeadJobs,
    private readonly metrics: Metrics,
    private readonly log: Log,
  ) {}

  /** Starts consuming. Redis may be away: workers wait for it. */
  start(processors: readonly JobProcessor[]): void {
    const wanted = this.config.workerQueues;
    for (const processor of processors) {
      if (wanted.length === 0 || wanted.includes(processor.queue)) this.#workers.push(this.#worker(processor));
    }
  }

  /** Takes no new job and waits for those that run. */
  async drain(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }

  /** The time is up: tells running jobs to stop at their next safe point. Their work is done again by another worker. */
  abort(): void {
    this.#stopping.abort(new Error('The worker is stopping'));
  }

  async onModuleDestroy(): Promise<void> {
    await this.drain();
  }

  #worker(processor: JobProcessor): Worker {
    const { concurrency } = queueTable[processor.queue];
    const worker = new Worker(processor.queue, (job) => this.#attempt(processor, job), {
      connection: this.redis.workerOptions(),
      prefix: this.queues.prefix,
      concurrency,
      // A job whose worker was killed is given to another one after some 20 seconds; what it did twice is harmless by
      // its data.
      lockDuration: LOCK_MS,
      stalledInterval: LOCK_MS / 3,
      maxStalledCount: 3,
    });
    worker.on('failed', (job, error) => this.#failed(processor.queue, job, error));
    worker.on('error', () => {}); // the connection reports its own failures, once
    return worker;
  }

  async #attempt(processor: JobProcessor, job: Job): Promise<void> {
    const { queue } = processor;
    const started = performance.now();
    await runInContext({ queue, jobId: job.id ?? '' }, async () => {
      const signal = AbortSignal.any([AbortSignal.timeout(queueTable[queue].timeoutMs), this.#stopping.signal]);
      try {
        await processor.handle(job.data as JobPayload, signal);
        this.#measure(queue, 'done', started);
      } catch (error) {
        const failure = failureOf(error);
        this.#measure(queue, failure, started);
        this.log.error('Job failed', error, { failure, attempt: job.attemptsMade + 1 });
        throw failure === 'temporary' ? error : unrecoverable(error);
      }
    });
  }

  #measure(queue: QueueName, outcome: string, started: number): void {
    this.metrics.jobs.observe({ queue, outcome }, (performance.now() - started) / 1000);
  }

  /** BullMQ tells of every failed attempt; the last one leaves a record for the operator. */
  #failed(queue: QueueName, job: Job | undefined, error: Error): void {
    if (!job || (job.attemptsMade < (job.opts.attempts ?? 1) && !givenUp(error))) return;
    this.metrics.deadJobs.inc({ queue });
    const cause = error.cause ?? error;
    const record = {
      queue,
      jobId: job.id ?? '',
      payload: job.data as JobPayload,
      attempts: job.attemptsMade,
      error: { code: cause instanceof AppError ? cause.code : error.name, message: messageOf(cause) },
    };
    this.deadJobs.record(record).catch((failure: unknown) => {
      this.log.error('A dead job could not be recorded', failure, { queue, jobId: record.jobId });
    });
  }
}

function unrecoverable(error: unknown): UnrecoverableError {
  const final = new UnrecoverableError(messageOf(error));
  final.cause = error;
  return final;
}

/** Permanent failures, and jobs whose worker was killed too often, are not tried again whatever attempts are left. */
function givenUp(error: Error): boolean {
  return error instanceof UnrecoverableError || /stalled more than allowable limit/.test(error.message);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
