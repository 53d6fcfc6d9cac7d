import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, QueuesService, RedisClient } from '@platform/queues';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunEnrichmentLane = { workspaceId: string; laneId: string };

/** A turn that a lane should have. */
export interface PlannedLane extends RunEnrichmentLane {
  nextAt: Date;
  fence: number;
}

/** "There is something to do in this lane at that time." */
@Injectable()
export class EnrichmentLaneQueue extends DueJobQueue<RunEnrichmentLane> {
  constructor(queues: QueuesService, redis: RedisClient, clock: ClockPort, log: LogService) {
    super('enrichment-lane', queues, redis, clock, log);
  }

  /** Adds the jobs. Redis failing right now costs nothing: the sweep finds the lanes. */
  async announce(lanes: readonly PlannedLane[]): Promise<void> {
    await this.announceAll(lanes.map(jobOf));
  }

  /**
   * Adds the jobs of lanes that are due and have none waiting or running, and returns how many were missing.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  async addMissing(lanes: readonly PlannedLane[]): Promise<number> {
    return this.addAllMissing(lanes.map(jobOf));
  }
}

/** Time and fence are part of its id: what is announced after a turn is never taken for what was announced before. */
function jobOf({ workspaceId, laneId, nextAt, fence }: PlannedLane): DueJob<RunEnrichmentLane> {
  return { payload: { workspaceId, laneId }, id: `lane-${laneId}-${nextAt.getTime()}-${fence}`, dueAt: nextAt };
}
