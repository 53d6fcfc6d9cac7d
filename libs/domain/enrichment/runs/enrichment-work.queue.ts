import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, QueuesService, RedisClient } from '@platform/queues';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunEnrichmentPartition = { workspaceId: string; laneId: string };

/** A turn that a lane should have. */
export interface ScheduledPartition extends RunEnrichmentPartition {
  nextAt: Date;
  fence: number;
}

/** "There is something to do in this lane at that time." */
@Injectable()
export class EnrichmentWorkQueue extends DueJobQueue<RunEnrichmentPartition> {
  constructor(queues: QueuesService, redis: RedisClient, clock: ClockPort, log: LogService) {
    super('enrichment-lane', queues, redis, clock, log);
  }

  /** Adds the jobs. Redis failing right now costs nothing: the sweep finds the lanes. */
  async enqueue(lanes: readonly ScheduledPartition[]): Promise<void> {
    await this.announceAll(lanes.map(toJob));
  }

  /**
   * Adds the jobs of lanes that are due and have none waiting or running, and returns how many were missing.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  async addMissing(lanes: readonly ScheduledPartition[]): Promise<number> {
    return this.addAllMissing(lanes.map(toJob));
  }
}

/** Time and fence are part of its id: what is announced after a turn is never taken for what was announced before. */
function toJob({ workspaceId, laneId, nextAt, fence }: ScheduledPartition): DueJob<RunEnrichmentPartition> {
  return { payload: { workspaceId, laneId }, id: `lane-${laneId}-${nextAt.getTime()}-${fence}`, dueAt: nextAt };
}
