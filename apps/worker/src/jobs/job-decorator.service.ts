import { ProcessorDecoratorService } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { toFailure } from '@platform/errors';
import { MetricsService, runInContext } from '@platform/observability';
import { type QueueName, queueTable } from '@platform/queues';
import { type Job, type Processor, WaitingError } from 'bullmq';
import { createAttemptSignal } from './attempt-signal';
import { JobFailureService } from './job-failure.service';

/** What all jobs share: log context, time limit, metrics, and the decision after a failure. */
@Injectable()
export class JobDecoratorService extends ProcessorDecoratorService {
  readonly #stopping = new AbortController();

  constructor(
    private readonly failures: JobFailureService,
    private readonly metrics: MetricsService,
  ) {
    super();
  }

  override decorate(processor: Processor<unknown, unknown>): Processor<unknown, unknown> {
    return (job, token = '') => this.#attempt(processor, job, token);
  }

  /** Asks running jobs to stop at their next safe point, because the shutdown time is over. They return to their queue. */
  abort(): void {
    this.#stopping.abort(new Error('The worker is stopping'));
  }

  #attempt(processor: Processor<unknown, unknown>, job: Job<unknown>, token: string): Promise<unknown> {
    const queue = job.queueName as QueueName;
    const started = performance.now();
    return runInContext({ queue, jobId: job.id ?? '' }, async () => {
      const attempt = createAttemptSignal(queueTable[queue].timeoutMs, this.#stopping.signal);
      try {
        const result = await processor(job, token, attempt.signal);
        this.#measure(job, 'done', started);
        return result;
      } catch (error) {
        this.#measure(job, toFailure(error), started);
        throw await this.#decideAfterFailure(job, token, error);
      } finally {
        attempt.done();
      }
    });
  }

  async #decideAfterFailure(job: Job, token: string, error: unknown): Promise<unknown> {
    if (!this.#stopping.signal.aborted) return this.failures.decide(job, token, error);
    // A shutdown is not a failure of the job: it costs no attempt.
    await job.moveToWait(token);
    return new WaitingError();
  }

  #measure({ queueName, name }: Job, outcome: string, started: number): void {
    this.metrics.jobs.observe({ queue: queueName, job_name: name, outcome }, (performance.now() - started) / 1000);
  }
}
