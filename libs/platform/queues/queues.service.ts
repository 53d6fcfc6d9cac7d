import { getQueueToken } from '@nestjs/bullmq';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { LogService } from '@platform/observability';
import { Queue } from 'bullmq';
import { QUEUE_NAMES, type QueueName } from './queue-table';
import { RedisClient } from './redis.client';
import { RENAMED_QUEUES } from './renamed-queues';

/** Depth of a queue by state, and the age of its oldest waiting job in milliseconds. */
export interface QueueDepth {
  waiting: number;
  active: number;
  delayed: number;
  lagMs: number;
}

/** All queues of the table, for what concerns more than one of them. */
@Injectable()
export class QueuesService implements OnModuleInit {
  constructor(
    private readonly redis: RedisClient,
    private readonly log: LogService,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    for (const name of QUEUE_NAMES) {
      const warn = ({ message }: Error) => this.log.warn('A queue reports an error', { queue: name, reason: message });
      this.get(name).on('error', warn);
    }
  }

  /** The prefix of all keys in Redis. */
  get prefix(): string {
    return this.get('periodic').opts.prefix ?? '';
  }

  get(name: QueueName): Queue {
    return this.modules.get<Queue>(getQueueToken(name), { strict: false });
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
