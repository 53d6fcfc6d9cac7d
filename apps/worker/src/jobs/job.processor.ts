import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { Inject, type Type } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { type Job } from 'bullmq';
import { JobFailureService } from './job-failure.service';

/**
 * Base of the processor of each queue. A processor is a few lines: it passes the ids to a service, which reads the records
 * again and returns early when nothing is due, because any job may run twice.
 */
export abstract class JobProcessor<P extends JobPayload = JobPayload> extends WorkerHost {
  @Inject(JobFailureService)
  private readonly failures!: JobFailureService;

  /** `signal` aborts when the time of the attempt is over or the process must stop. */
  abstract handle(payload: P, signal: AbortSignal): Promise<void>;

  /** Called through `JobDecoratorService`, which passes the signal of the attempt. */
  async process(job: Job<P>, _token?: string, signal = new AbortController().signal): Promise<void> {
    await this.handle(job.data, signal);
  }

  @OnWorkerEvent('failed')
  onFailed(job: Job | undefined, error: Error): void {
    this.failures.recordIfStalled(job, error);
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    this.failures.logWorkerError(this.worker.name, error);
  }
}

/** The queue that `@Processor` names. */
export function getQueueName(processor: Type<JobProcessor>): string {
  return (Reflect.getMetadata('bullmq:processor_metadata', processor) as { name: string }).name;
}
