import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunCrmPartition = { workspaceId: string; laneId: string };

/** A scheduled run of a partition. */
export interface ScheduledCrmPartition extends RunCrmPartition {
  nextAt: Date;
  fence: number;
}

/** Wake-ups of CRM partitions. */
@Injectable()
export class CrmWorkQueue extends DueJobQueue<RunCrmPartition> {
  constructor(@InjectQueue('crm-work') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }

  /** Adds the jobs. A Redis failure is harmless: the sweep finds the partitions. */
  async enqueue(partitions: readonly ScheduledCrmPartition[]): Promise<void> {
    await this.enqueueAll(partitions.map(toDueJob));
  }

  /**
   * Adds the missing jobs of due partitions and returns their number.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async addMissing(partitions: readonly ScheduledCrmPartition[]): Promise<number> {
    return this.addAllMissing(partitions.map(toDueJob));
  }
}

/** The id contains time and fence: a job of the next run never equals one of the previous run. */
function toDueJob({ workspaceId, laneId, nextAt, fence }: ScheduledCrmPartition): DueJob<RunCrmPartition> {
  return { payload: { workspaceId, laneId }, id: `crm-${laneId}-${nextAt.getTime()}-${fence}`, dueAt: nextAt };
}
