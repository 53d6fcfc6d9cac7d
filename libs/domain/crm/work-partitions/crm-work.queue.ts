import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, QueuesService, RedisClient } from '@platform/queues';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunCrmPartition = { workspaceId: string; laneId: string };

/** A turn that a lane should have. */
export interface ScheduledCrmPartition extends RunCrmPartition {
  nextAt: Date;
  fence: number;
}

/** "There is something to do with this CRM at that time." */
@Injectable()
export class CrmWorkQueue extends DueJobQueue<RunCrmPartition> {
  constructor(queues: QueuesService, redis: RedisClient, clock: ClockPort, log: LogService) {
    super('crm-lane', queues, redis, clock, log);
  }

  /** Adds the jobs. Redis failing right now costs nothing: the sweep finds the lanes. */
  async enqueue(partitions: readonly ScheduledCrmPartition[]): Promise<void> {
    await this.announceAll(partitions.map(toDueJob));
  }

  /**
   * Adds the jobs of lanes that are due and have none waiting or running, and returns how many were missing.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  async addMissing(partitions: readonly ScheduledCrmPartition[]): Promise<number> {
    return this.addAllMissing(partitions.map(toDueJob));
  }
}

/** Time and fence are part of its id: what is announced after a turn is never taken for what was announced before. */
function toDueJob({ workspaceId, laneId, nextAt, fence }: ScheduledCrmPartition): DueJob<RunCrmPartition> {
  return { payload: { workspaceId, laneId }, id: `crm-${laneId}-${nextAt.getTime()}-${fence}`, dueAt: nextAt };
}
