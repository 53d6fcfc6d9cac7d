import { type JobPayload, type QueueName } from '@platform/queues';

/**
 * Handles the jobs of one queue. A processor is a few lines: it passes the ids to a service, which reads the records
 * again and returns early when nothing is due, because any job may run twice.
 */
export abstract class JobProcessor<P extends JobPayload = JobPayload> {
  abstract readonly queue: QueueName;

  /** `signal` aborts when the time of the attempt is over or the process must stop. */
  abstract handle(payload: P, signal: AbortSignal): Promise<void>;
}
