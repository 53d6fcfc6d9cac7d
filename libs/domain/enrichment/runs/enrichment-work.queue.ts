import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunEnrichmentPartition = { workspaceId: string; laneId: string };

/** A scheduled run of a work partition. */
export interface ScheduledPartition extends RunEnrichmentPartition {
  nextAt: Date;
  fence: number;
}

/** Runs a work partition at its time. */
@Injectable()
export class EnrichmentWorkQueue extends DueJobQueue<RunEnrichmentPartition> {
  constructor(@InjectQueue('enrichment-work') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }

  /** Adds the jobs. If Redis fails, the sweep finds the partitions. */
  async enqueue(partitions: readonly ScheduledPartition[]): Promise<void> {
    await this.enqueueAll(partitions.map(toJob));
  }

  /**
   * Adds the jobs of due partitions without a waiting or running job.
   * @returns the number of missing jobs
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async addMissing(partitions: readonly ScheduledPartition[]): Promise<number> {
    return this.addAllMissing(partitions.map(toJob));
  }
}

/** Time and fence are part of the id, so that a later run never counts as a repetition of an earlier one. */
function toJob({ workspaceId, laneId, nextAt, fence }: ScheduledPartition): DueJob<RunEnrichmentPartition> {
  return { payload: { workspaceId, laneId }, id: `lane-${laneId}-${nextAt.getTime()}-${fence}`, dueAt: nextAt };
}
