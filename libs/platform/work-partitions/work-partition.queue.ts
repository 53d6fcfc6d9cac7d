import { type ClockPort } from '@platform/clock';
import { type LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, type RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunWorkPartition = { workspaceId: string; partitionId: string };

/** A run of a partition that is scheduled. */
export interface ScheduledPartition extends RunWorkPartition {
  readonly nextAt: Date;
  readonly fence: number;
  /** The end of its lease, if a worker holds one: the job runs then. */
  readonly leaseEndsAt?: Date;
}

/** Base of the queues that run work partitions at their time. */
export abstract class WorkPartitionQueue extends DueJobQueue<RunWorkPartition> {
  protected constructor(queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }

  get name(): string {
    return this.queue.name;
  }

  /** Adds the jobs. A failure of Redis is harmless: the sweep finds the partitions. */
  async enqueue(partitions: readonly ScheduledPartition[]): Promise<void> {
    await this.enqueueAll(partitions.map((partition) => this.#toDueJob(partition)));
  }

  /**
   * Adds the missing jobs of due partitions and returns their number.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async addMissing(partitions: readonly ScheduledPartition[]): Promise<number> {
    return this.addAllMissing(partitions.map((partition) => this.#toDueJob(partition)));
  }

  /** The id contains time and fence: a job of the next run never equals one of the previous run. */
  #toDueJob({ workspaceId, partitionId, nextAt, fence, leaseEndsAt }: ScheduledPartition): DueJob<RunWorkPartition> {
    const id = `partition-${partitionId}-${nextAt.getTime()}-${fence}`;
    return { payload: { workspaceId, partitionId }, id, dueAt: leaseEndsAt ?? nextAt };
  }
}
