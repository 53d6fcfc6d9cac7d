import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunWebhookPartition = { workspaceId: string; webhookId: string };

/** A scheduled run of a webhook. */
export interface ScheduledPartition extends RunWebhookPartition {
  nextAt: Date;
  fence: number;
}

/** Wake-ups of webhooks. */
@Injectable()
export class WebhookWorkQueue extends DueJobQueue<RunWebhookPartition> {
  constructor(@InjectQueue('webhook-work') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }

  /** Adds the jobs. A Redis failure is harmless: the sweep finds the partitions. */
  async enqueue(partitions: readonly ScheduledPartition[]): Promise<void> {
    await this.enqueueAll(partitions.map(toDueJob));
  }

  /**
   * Adds the missing jobs of due partitions and returns their number.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async addMissing(partitions: readonly ScheduledPartition[]): Promise<number> {
    return this.addAllMissing(partitions.map(toDueJob));
  }
}

/** The id contains time and fence: a job of the next run never equals one of the previous run. */
function toDueJob({ workspaceId, webhookId, nextAt, fence }: ScheduledPartition): DueJob<RunWebhookPartition> {
  return { payload: { workspaceId, webhookId }, id: `lane-${webhookId}-${nextAt.getTime()}-${fence}`, dueAt: nextAt };
}
