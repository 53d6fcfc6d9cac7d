import { ProcessorDecoratorService } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { toFailure } from '@platform/errors';
import { MetricsService, runInContext } from '@platform/observability';
import { type QueueName, queueTable } from '@platform/queues';
import { type Job, type Processor, WaitingError } from 'bullmq';
import { createAttemptSignal } from './attempt-signal';
import { JobFailureService } from './job-failure.service';
import { RunLimitService } from './run-limit.service';

/** What all jobs share: log context, time limit, metrics, and the decision after a failure. */
@Injectable()
export class JobDecoratorService extends ProcessorDecoratorService {
  readonly #stopping = new AbortController();

  constructor(
    private readonly failures: JobFailureService,
    private readonly metrics: MetricsService,
    private readonly limits: RunLimitService,
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
    const { workspaceId = '' } = job.data as { workspaceId?: string };
    return runInContext({ queue, jobId: job.id ?? '' }, async () => {
      try {
        // The time limit does not include the wait for a slot.
        return await this.limits.run(queue, workspaceId, this.#stopping.signal, () => this.#run(processor, job, token));
      } catch (error) {
        throw await this.#decideAfterFailure(job, token, error);
      }
    });
  }

  async #run(processor: Processor<unknown, unknown>, job: Job<unknown>, token: string): Promise<unknown> {
    const started = performance.now();
    const attempt = createAttemptSignal(queueTable[job.queueName as QueueName].timeoutMs, this.#stopping.signal);
    try {
      const result = await processor(job, token, attempt.signal);
      this.#measure(job, 'done', started);
      return result;
    } catch (error) {
      this.#measure(job, toFailure(error), started);
      throw error;
    } finally {
      attempt.done();
    }
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
