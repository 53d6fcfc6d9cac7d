import { type QueueName } from './queue-table';
import { QueuesService } from './queues.service';
import { RedisClient } from './redis.client';

/** What a job may carry: ids and plain marks. Records and secrets are read again by whoever runs the job. */
export type JobPayload = Record<string, string | number | boolean>;

export interface PlannedJob<P extends JobPayload> {
  payload: P;
  id: string;
  delayMs?: number;
}

/** Jobs that go to Redis in one message. */
const AT_ONCE = 250;

/** Base of every `<domain>.queue.ts`: the one place that puts jobs into its queue. */
export abstract class JobQueue<P extends JobPayload> {
  protected constructor(
    private readonly name: QueueName,
    private readonly queues: QueuesService,
    private readonly redis: RedisClient,
  ) {}

  /** Call before a change that is useless without its job: then nothing is changed while Redis is away. */
  async ensureReachable(): Promise<void> {
    await this.redis.ping();
  }

  /**
   * Adds a job. `id` makes a repeated request harmless while the first job exists; what makes the job itself harmless
   * when it runs twice is its data.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  protected async add(payload: P, options: { id: string; delayMs?: number }): Promise<void> {
    await this.redis.promptly(() =>
      this.queues
        .get(this.name)
        .add(this.name, payload, { jobId: options.id, delay: Math.max(0, options.delayMs ?? 0) }),
    );
  }

  /**
   * Adds many jobs, each as `add` does. Some may have been added when it fails.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  protected async addMany(jobs: readonly PlannedJob<P>[]): Promise<void> {
    for (let from = 0; from < jobs.length; from += AT_ONCE) {
      const some = jobs.slice(from, from + AT_ONCE).map(({ payload, id, delayMs }) => ({
        name: this.name,
        data: payload,
        opts: { jobId: id, delay: Math.max(0, delayMs ?? 0) },
      }));
      await this.redis.promptly(() => this.queues.get(this.name).addBulk(some));
    }
  }

  /** Takes a job that has not started out of the queue. */
  protected async withdraw(id: string): Promise<void> {
    await this.redis.promptly(() => this.queues.get(this.name).remove(id));
  }
}
