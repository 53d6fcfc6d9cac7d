import { type JobPayload, type QueueName } from '@platform/queues';

/**
 * Answers the jobs of one queue. A processor is a few lines: it hands the ids on to a service, which reads the records
 * again and returns early when there is nothing left to do, for any job may run twice.
 */
export abstract class JobProcessor<P extends JobPayload = JobPayload> {
  abstract readonly queue: QueueName;

  /** `signal` is aborted when the attempt has used up its time or the process must stop. */
  abstract handle(payload: P, signal: AbortSignal): Promise<void>;
}
