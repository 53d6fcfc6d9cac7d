import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AdaptiveLimit, RunSlots } from '@platform/concurrency';
import { TransactionService } from '@platform/database';
import { MetricsService } from '@platform/observability';
import { type QueueName, queueTable } from '@platform/queues';

/** Queues whose jobs run work partitions, with many at a time. */
const BOUNDED = ['mailbox-send', 'webhook-work', 'chat-work', 'crm-work', 'enrichment-work'] as const;

interface RunBound {
  readonly queue: QueueName;
  readonly limit: AdaptiveLimit;
  readonly slots: RunSlots;
}

/**
 * Bounds the runs of work partitions in this process: at the start the concurrency of the queue, fewer while the transactions of
 * this process are slow. Among waiting runs, those of the workspace with the fewest running ones come first.
 */
@Injectable()
export class RunLimitService implements OnModuleInit {
  readonly #bounds = new Map<QueueName, RunBound>(BOUNDED.map((queue) => [queue, createBound(queue)]));

  constructor(
    private readonly transactions: TransactionService,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    this.#measure();
    this.transactions.onEnd((durationMs) => {
      const now = performance.now();
      for (const { limit } of this.#bounds.values()) limit.record(durationMs, now);
      this.#measure();
    });
  }

  /** Runs a job when its queue allows one more run. @throws the reason of `stopping`, when it aborts before the start */
  run<T>(queue: QueueName, workspaceId: string, stopping: AbortSignal, work: () => Promise<T>): Promise<T> {
    const bound = this.#bounds.get(queue);
    return bound ? bound.slots.run(workspaceId, stopping, work) : work();
  }

  /** Returns the number of runs that a queue allows now; null without a bound. */
  getAllowed(queue: QueueName): number | null {
    return this.#bounds.get(queue)?.limit.allowed ?? null;
  }

  #measure(): void {
    for (const { queue, limit } of this.#bounds.values()) this.metrics.runsAllowed.set({ queue }, limit.allowed);
  }
}

function createBound(queue: QueueName): RunBound {
  const limit = new AdaptiveLimit(queueTable[queue].concurrency);
  return { queue, limit, slots: new RunSlots(() => limit.allowed) };
}
