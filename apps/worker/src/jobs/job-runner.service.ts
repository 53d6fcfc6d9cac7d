import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '@platform/config';
import { AppError, toFailure } from '@platform/errors';
import { LogService, MetricsService, redact, runInContext } from '@platform/observability';
import {
  DeadJobQueue,
  type JobPayload,
  QueuesService,
  queueTable,
  type QueueName,
  RedisClient,
} from '@platform/queues';
import { DelayedError, type Job, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import { type JobProcessor } from './job.processor';

/** A worker renews its hold on a job twice in this time; one that does not is taken for dead. */
const LOCK_MS = 15_000;
/** When a job is given up while its record cannot be written, it comes back after this time. */
const RECORD_AGAIN_MS = 30_000;

/** Turns processors into running workers: context, log, metrics, time limit, and retry by kind of failure. */
@Injectable()
export class JobRunnerService implements OnModuleDestroy {
  readonly #workers: Worker[] = [];
  readonly #stopping = new AbortController();
  readonly #recording = new Set<Promise<boolean>>();

  constructor(
    private readonly config: Config,
    private readonly queues: QueuesService,
    private readonly redis: RedisClient,
    private readonly deadJobs: DeadJobQueue,
    private readonly metrics: MetricsService,
    private readonly log: LogService,
  ) {}

  /** Starts consuming. Redis may be away: workers wait for it. */
  start(processors: readonly JobProcessor[]): void {
    const wanted = this.config.workerQueues;
    for (const processor of processors) {
      if (wanted.length > 0 && !wanted.includes(processor.queue)) continue;
      this.metrics.deadJobs.inc({ queue: processor.queue }, 0);
      this.#workers.push(this.#worker(processor));
    }
  }

  /** Takes no new job and waits for those that run. */
  async drain(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
    await Promise.all(this.#recording);
  }

  /** The time is up: tells running jobs to stop at their next safe point. They go back to their queue. */
  abort(): void {
    this.#stopping.abort(new Error('The worker is stopping'));
  }

  async onModuleDestroy(): Promise<void> {
    await this.drain();
  }

  #worker(processor: JobProcessor): Worker {
    const { queue } = processor;
    const worker = new Worker(queue, (job, token) => this.#attempt(processor, job, token ?? ''), {
      connection: this.redis.workerOptions(),
      prefix: this.queues.prefix,
      concurrency: queueTable[queue].concurrency,
      // A job whose worker was killed is given to another one after some 20 seconds; what it did twice is harmless by
      // its data.
      lockDuration: LOCK_MS,
      stalledInterval: LOCK_MS / 3,
      maxStalledCount: 3,
    });
    worker.on('failed', (job, error) => this.#failedWithoutAttempt(queue, job, error));
    worker.on('error', (error) => this.log.warn('Worker in trouble', { queue, reason: error.message }));
    return worker;
  }

  async #attempt(processor: JobProcessor, job: Job, token: string): Promise<void> {
    const { queue } = processor;
    const started = performance.now();
    await runInContext({ queue, jobId: job.id ?? '' }, async () => {
      const attempt = attemptSignal(queueTable[queue].timeoutMs, this.#stopping.signal);
      try {
        await processor.handle(job.data as JobPayload, attempt.signal);
        this.#measure(queue, 'done', started);
      } catch (error) {
        this.#measure(queue, toFailure(error), started);
        throw await this.#afterFailure(queue, job, token, error);
      } finally {
        attempt.done();
      }
    });
  }

  #measure(queue: QueueName, outcome: string, started: number): void {
    this.metrics.jobs.observe({ queue, outcome }, (performance.now() - started) / 1000);
  }

  /** Decides what becomes of a job whose attempt failed; the error that it answers tells BullMQ. */
  async #afterFailure(queue: QueueName, job: Job, token: string, error: unknown): Promise<unknown> {
    if (this.#stopping.signal.aborted) {
      // Stopping is not the job's fault: it costs no attempt.
      await job.moveToWait(token);
      return new WaitingError();
    }
    const failure = toFailure(error);
    const attempt = job.attemptsMade + 1;
    this.log.error('Job failed', error, { failure, attempt });
    if (failure === 'temporary' && attempt < (job.opts.attempts ?? 1)) return error;
    if (!(await this.#record(queue, job, attempt, error))) {
      // Nothing that is given up may vanish: it stays in the queue until its record can be written.
      await job.moveToDelayed(Date.now() + RECORD_AGAIN_MS, token);
      return new DelayedError();
    }
    return new UnrecoverableError(messageOf(error));
  }

  /** BullMQ gave the job up without an attempt: its workers were killed too often while they had it. */
  #failedWithoutAttempt(queue: QueueName, job: Job | undefined, error: Error): void {
    if (!job || !/stalled more than allowable limit/.test(error.message)) return;
    const recording = this.#record(queue, job, job.attemptsStarted, error).finally(() =>
      this.#recording.delete(recording),
    );
    this.#recording.add(recording);
  }

  /** Leaves a record for the operator; false when that failed. */
  async #record(queue: QueueName, job: Job, attempts: number, error: unknown): Promise<boolean> {
    try {
      await this.deadJobs.record({
        queue,
        jobId: job.id ?? '',
        payload: job.data as JobPayload,
        attempts,
        error: { code: error instanceof AppError ? error.code : nameOf(error), message: messageOf(error) },
      });
      this.metrics.deadJobs.inc({ queue });
      return true;
    } catch (failure) {
      this.log.error('A dead job could not be recorded', failure, { queue, jobId: job.id });
      return false;
    }
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}

/** Messages of drivers and servers may repeat what they were sent. */
function messageOf(error: unknown): string {
  return redact(error instanceof Error ? error.message : String(error));
}

/**
 * Aborted when the attempt's time is over or the worker stops. `AbortSignal.any` would leave a trace of each job in the
 * worker's own signal, and that lives for weeks.
 */
function attemptSignal(timeoutMs: number, stopping: AbortSignal): { signal: AbortSignal; done: () => void } {
  const attempt = new AbortController();
  const stop = (): void => attempt.abort(stopping.reason);
  const timer = setTimeout(
    () => attempt.abort(new DOMException('The attempt took too long', 'TimeoutError')),
    timeoutMs,
  );
  stopping.addEventListener('abort', stop, { once: true });
  if (stopping.aborted) stop();
  return {
    signal: attempt.signal,
    done: () => {
      clearTimeout(timer);
      stopping.removeEventListener('abort', stop);
    },
  };
}
