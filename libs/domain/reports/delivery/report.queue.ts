import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';
import { type ReportRecord } from '../schemas/report.record';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type DeliverReport = { workspaceId: string; reportId: string };

export type DueReport = Pick<ReportRecord, '_id' | 'workspaceId' | 'dueAt'>;

/** Job: send or look up a report at its time. */
@Injectable()
export class ReportQueue extends DueJobQueue<DeliverReport> {
  constructor(@InjectQueue('report-delivery') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }

  /** Adds the jobs of open reports. If Redis fails, the sweep finds what is due. */
  async enqueue(reports: readonly DueReport[]): Promise<void> {
    await this.enqueueAll(reports.flatMap(toJobs));
  }

  /**
   * Adds the jobs of reports that have none waiting or running, and returns their number.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async addMissing(reports: readonly DueReport[]): Promise<number> {
    return this.addAllMissing(reports.flatMap(toJobs));
  }
}

/** The id includes the due time: each due time has its own job. */
function toJobs({ _id, workspaceId, dueAt }: DueReport): DueJob<DeliverReport>[] {
  if (!dueAt) return [];
  const payload = { workspaceId: workspaceId.toHexString(), reportId: _id.toHexString() };
  return [{ payload, id: `report-${payload.reportId}-${dueAt.getTime()}`, dueAt }];
}
