import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '@platform/config';
import { LogService } from '@platform/observability';
import { Queue } from 'bullmq';
import { queueTable, QUEUE_NAMES, type QueueName } from './queue-table';
import { RedisClient } from './redis.client';
import { RENAMED_QUEUES } from './renamed-queues';

/** Depth of a queue by state, and the age of its oldest waiting job in milliseconds. */
export interface QueueDepth {
  waiting: number;
  active: number;
  delayed: number;
  lagMs: number;
}

/** The producers of all queues of the table, over one connection that fails fast. */
@Injectable()
export class QueuesService implements OnApplicationShutdown {
  readonly prefix: string;
  readonly #queues = new Map<QueueName, Queue>();

  constructor(
    config: Config,
    private readonly redis: RedisClient,
    private readonly log: LogService,
  ) {
    // In braces, so that all queue keys of the installation are in one slot of a Redis cluster.
    this.prefix = `{${config.queuePrefix}}`;
  }

  get(name: QueueName): Queue {
    const known = this.#queues.get(name);
    if (known) return known;
    const { attempts, backoffMs, keepCompleted } = queueTable[name];
    const queue = new Queue(name, {
      connection: this.redis.client,
      prefix: this.prefix,
      defaultJobOptions: {
        attempts,
        backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
        removeOnComplete: { count: keepCompleted },
        removeOnFail: true, // failed jobs are stored in MongoDB (`DeadJobQueue`), where they cannot be evicted
      },
    });
    queue.on('error', (error: Error) =>
      this.log.warn('A queue reports an error', { queue: name, reason: error.message }),
    );
    this.#queues.set(name, queue);
    // BullMQ keeps a failed first connection: such a queue would never work again.
    queue.waitUntilReady().catch(() => {
      if (this.#queues.get(name) === queue) this.#queues.delete(name);
    });
    return queue;
  }

  /** Depth of all queues. @throws SERVICE_UNAVAILABLE while Redis is unavailable */
  async depths(now: Date): Promise<Record<QueueName, QueueDepth>> {
    const entries = await this.redis.promptly(() =>
      Promise.all(QUEUE_NAMES.map(async (name) => [name, await getDepth(this.get(name), now)] as const)),
    );
    return Object.fromEntries(entries) as Record<QueueName, QueueDepth>;
  }

  /** Deletes every queue with all its jobs: for tests and for a reset by the operator. */
  async obliterate(): Promise<void> {
    for (const name of QUEUE_NAMES) await this.get(name).obliterate({ force: true });
  }

  /**
   * Deletes what an earlier release left in Redis under names that no queue has today. No work is lost: sweeps restore the jobs
   * from MongoDB.
   */
  async deleteRenamed(): Promise<void> {
    for (const name of Object.keys(RENAMED_QUEUES)) {
      const queue = new Queue(name, { connection: this.redis.client, prefix: this.prefix });
      queue.on('error', (error: Error) => this.log.warn('Queue in trouble', { queue: name, reason: error.message }));
      try {
        await queue.obliterate({ force: true });
      } finally {
        await queue.close();
      }
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.allSettled([...this.#queues.values()].map((queue) => queue.close()));
  }
}

async function getDepth(queue: Queue, now: Date): Promise<QueueDepth> {
  const counts = await queue.getJobCounts('waiting', 'active', 'delayed');
  const [oldest] = counts['waiting'] ? await queue.getWaiting(0, 0) : [];
  return {
    waiting: counts['waiting'] ?? 0,
    active: counts['active'] ?? 0,
    delayed: counts['delayed'] ?? 0,
    lagMs: oldest ? Math.max(0, now.getTime() - oldest.timestamp - oldest.delay) : 0,
  };
}
