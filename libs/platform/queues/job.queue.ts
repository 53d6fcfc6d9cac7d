import { type Queue } from 'bullmq';
import { RedisClient } from './redis.client';

/** Ids and simple flags. The processor reads records and secrets itself. */
export type JobPayload = Record<string, string | number | boolean>;

export interface PlannedJob<P extends JobPayload> {
  payload: P;
  id: string;
  delayMs?: number;
}

/** Jobs per command to Redis. */
const AT_ONCE = 250;

/** Base of every `<domain>.queue.ts`, the only producer of its queue. */
export abstract class JobQueue<P extends JobPayload> {
  protected constructor(
    protected readonly queue: Queue,
    protected readonly redis: RedisClient,
  ) {}

  /** Call it before a change that needs its job, so that nothing changes while Redis is unavailable. */
  async ensureReachable(): Promise<void> {
    await this.redis.ping();
  }

  /**
   * Adds a job. `id` prevents a duplicate while the first job exists; a second run of the job has to be harmless by its data.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  protected async add(payload: P, options: { id: string; delayMs?: number }): Promise<void> {
    const { id: jobId, delayMs = 0 } = options;
    await this.redis.promptly(() => this.queue.add(this.queue.name, payload, { jobId, delay: Math.max(0, delayMs) }));
  }

  /**
   * Adds many jobs like `add`. A failure may leave some of them added.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  protected async addMany(jobs: readonly PlannedJob<P>[]): Promise<void> {
    for (let from = 0; from < jobs.length; from += AT_ONCE) {
      const some = jobs.slice(from, from + AT_ONCE).map(({ payload, id, delayMs }) => ({
        name: this.queue.name,
        data: payload,
        opts: { jobId: id, delay: Math.max(0, delayMs ?? 0) },
      }));
      await this.redis.promptly(() => this.queue.addBulk(some));
    }
  }

  /** Removes a job that has not started. */
  protected async withdraw(id: string): Promise<void> {
    await this.redis.promptly(() => this.queue.remove(id));
  }
}
