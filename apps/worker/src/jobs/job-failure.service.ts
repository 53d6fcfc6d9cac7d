import { Injectable } from '@nestjs/common';
import { AppError, toFailure } from '@platform/errors';
import { LogService, MetricsService, redact } from '@platform/observability';
import { DeadJobQueue, type JobPayload, type QueueName } from '@platform/queues';
import { DelayedError, type Job, UnrecoverableError } from 'bullmq';

/** Delay before a dead job whose record could not be written is retried. */
const RECORD_AGAIN_MS = 30_000;

/** Decides by kind of failure whether a job is retried, and records the jobs that failed for good. */
@Injectable()
export class JobFailureService {
  readonly #recording = new Set<Promise<boolean>>();

  constructor(
    private readonly deadJobs: DeadJobQueue,
    private readonly metrics: MetricsService,
    private readonly log: LogService,
  ) {}

  /** Decides the outcome of a job whose attempt failed; the returned error instructs BullMQ. */
  async decide(job: Job, token: string, error: unknown): Promise<unknown> {
    const failure = toFailure(error);
    const attempt = job.attemptsMade + 1;
    this.log.error('Job failed', error, { failure, attempt });
    if (failure === 'temporary' && attempt < (job.opts.attempts ?? 1)) return error;
    if (!(await this.#record(job, attempt, error))) {
      // No dead job may be lost: it stays in the queue until its record can be written.
      await job.moveToDelayed(Date.now() + RECORD_AGAIN_MS, token);
      return new DelayedError();
    }
    return new UnrecoverableError(getErrorMessage(error));
  }

  /** BullMQ gave the job up without an attempt: workers crashed too often while they ran it. */
  recordIfStalled(job: Job | undefined, error: Error): void {
    if (!job || !/stalled more than allowable limit/.test(error.message)) return;
    const recording = this.#record(job, job.attemptsStarted, error).finally(() => this.#recording.delete(recording));
    this.#recording.add(recording);
  }

  logWorkerError(queue: string, error: Error): void {
    this.log.warn('A worker reported an error', { queue, reason: error.message });
  }

  /** Waits until all records are written. */
  async settle(): Promise<void> {
    await Promise.all(this.#recording);
  }

  /** Writes a record for the operator; returns false if that failed. */
  async #record(job: Job, attempts: number, error: unknown): Promise<boolean> {
    const queue = job.queueName as QueueName;
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
