import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Config } from '@platform/config';
import { AppError, toFailure } from '@platform/errors';
import { LogService, MetricsService, redact, runInContext } from '@platform/observability';
import {
  DeadJobQueue,
  QueuesService,
  RENAMED_QUEUES,
  RedisClient,
  queueTable,
  selectQueues,
  type JobPayload,
  type QueueName,
} from '@platform/queues';
import { DelayedError, type Job, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import { type JobProcessor } from './job.processor';

/** A worker renews its lock on a job twice in this time; without renewal it counts as crashed. */
const LOCK_MS = 15_000;
/** Delay before a dead job whose record could not be written is retried. */
const RECORD_AGAIN_MS = 30_000;

/** Runs processors as BullMQ workers: context, log, metrics, time limit, and retry by kind of failure. */
@Injectable()
export class JobRunnerService implements OnModuleDestroy {
  readonly #workers: Worker[] = [];
  readonly #stopping = new AbortController();
  readonly #recording = new Set<Promise<boolean>>();
  #cleaning: Promise<void> | undefined;

  constructor(
    private readonly config: Config,
    private readonly queues: QueuesService,
    private readonly redis: RedisClient,
    private readonly deadJobs: DeadJobQueue,
    private readonly metrics: MetricsService,
    private readonly log: LogService,
  ) {}

  /** Starts consuming. Redis may be down: the workers wait for it. */
  start(processors: readonly JobProcessor[]): void {
    const { names, renamed } = selectQueues(this.config.workerQueues);
    if (renamed.length > 0) {
      this.log.warn('WORKER_QUEUES uses queue names of an earlier release, which the next release refuses', {
        renamed: renamed.map((name) => `${name} is ${RENAMED_QUEUES[name]}`),
      });
    }
    this.#cleaning = this.#deleteRenamed();
    for (const processor of processors) {
      if (names.length > 0 && !names.includes(processor.queue)) continue;
      this.metrics.deadJobs.inc({ queue: processor.queue }, 0);
      this.#workers.push(this.#createWorker(processor));
    }
  }

  /** Redis may be away: what is left then is deleted at the next start. */
  async #deleteRenamed(): Promise<void> {
    await this.queues
      .deleteRenamed()
      .catch((error: unknown) =>
        this.log.warn('Queues of an earlier release were not deleted', { reason: String(error) }),
      );
  }

  /** Takes no new job and waits for those that run. */
  async drain(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
    await Promise.all(this.#recording);
    await this.#cleaning;
  }

  /**
   * Asks running jobs to stop at their next safe point, because the shutdown time is over. They return to their queue.
   */
  abort(): void {
    this.#stopping.abort(new Error('The worker is stopping'));
  }

  async onModuleDestroy(): Promise<void> {
    await this.drain();
  }

  #createWorker(processor: JobProcessor): Worker {
    const { queue } = processor;
    const worker = new Worker(queue, (job, token) => this.#runAttempt(processor, job, token ?? ''), {
      connection: this.redis.workerOptions(),
      prefix: this.queues.prefix,
      concurrency: queueTable[queue].concurrency,
      // BullMQ gives the job of a crashed worker to another one after some 20 seconds; repeated work is harmless,
      // because the services check the data first.
      lockDuration: LOCK_MS,
      stalledInterval: LOCK_MS / 3,
      maxStalledCount: 3,
    });
    worker.on('failed', (job, error) => this.#failedWithoutAttempt(queue, job, error));
    worker.on('error', (error) => this.log.warn('A worker reported an error', { queue, reason: error.message }));
    return worker;
  }

  async #runAttempt(processor: JobProcessor, job: Job, token: string): Promise<void> {
    const { queue } = processor;
    const started = performance.now();
    await runInContext({ queue, jobId: job.id ?? '' }, async () => {
      const attempt = createAttemptSignal(queueTable[queue].timeoutMs, this.#stopping.signal);
      try {
        await processor.handle(job.data as JobPayload, attempt.signal);
        this.#measure(queue, 'done', started);
      } catch (error) {
        this.#measure(queue, toFailure(error), started);
        throw await this.#decideAfterFailure(queue, job, token, error);
      } finally {
        attempt.done();
      }
    });
  }

  #measure(queue: QueueName, outcome: string, started: number): void {
    this.metrics.jobs.observe({ queue, outcome }, (performance.now() - started) / 1000);
  }

  /** Decides the outcome of a job whose attempt failed; the returned error instructs BullMQ. */
  async #decideAfterFailure(queue: QueueName, job: Job, token: string, error: unknown): Promise<unknown> {
    if (this.#stopping.signal.aborted) {
      // A shutdown is not a failure of the job: it costs no attempt.
      await job.moveToWait(token);
      return new WaitingError();
    }
    const failure = toFailure(error);
    const attempt = job.attemptsMade + 1;
    this.log.error('Job failed', error, { failure, attempt });
    if (failure === 'temporary' && attempt < (job.opts.attempts ?? 1)) return error;
    if (!(await this.#record(queue, job, attempt, error))) {
      // No dead job may be lost: it stays in the queue until its record can be written.
      await job.moveToDelayed(Date.now() + RECORD_AGAIN_MS, token);
      return new DelayedError();
    }
    return new UnrecoverableError(getErrorMessage(error));
  }

  /** BullMQ gave the job up without an attempt: workers crashed too often while they ran it. */
  #failedWithoutAttempt(queue: QueueName, job: Job | undefined, error: Error): void {
    if (!job || !/stalled more than allowable limit/.test(error.message)) return;
    const recording = this.#record(queue, job, job.attemptsStarted, error).finally(() =>
      this.#recording.delete(recording),
    );
    this.#recording.add(recording);
  }

  /** Writes a record for the operator; returns false if that failed. */
  async #record(queue: QueueName, job: Job, attempts: number, error: unknown): Promise<boolean> {
    try {
      await this.deadJobs.record({
        queue,
        jobId: job.id ?? '',
        payload: job.data as JobPayload,
        attempts,
        error: { code: error instanceof AppError ? error.code : getErrorName(error), message: getErrorMessage(error) },
      });
      this.metrics.deadJobs.inc({ queue });
      return true;
    } catch (failure) {
      this.log.error('A dead job could not be recorded', failure, { queue, jobId: job.id });
      return false;
    }
  }
}

function getErrorName(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}

/** Messages of drivers and servers may repeat data that was sent to them. */
function getErrorMessage(error: unknown): string {
  return redact(error instanceof Error ? error.message : String(error));
}

/**
 * Aborts when the time of the attempt is over or the worker stops. `AbortSignal.any` would leave a reference for each
 * job in the signal of the worker, which lives for weeks.
 */
function createAttemptSignal(timeoutMs: number, stopping: AbortSignal): { signal: AbortSignal; done: () => void } {
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
