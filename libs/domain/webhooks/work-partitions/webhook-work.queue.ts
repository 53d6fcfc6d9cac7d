import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, QueuesService, RedisClient } from '@platform/queues';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunWebhookPartition = { workspaceId: string; webhookId: string };

/** A turn that a webhook should have. */
export interface ScheduledPartition extends RunWebhookPartition {
  nextAt: Date;
  fence: number;
}

/** "There is something to deliver to this webhook at that time." */
@Injectable()
export class WebhookWorkQueue extends DueJobQueue<RunWebhookPartition> {
  constructor(queues: QueuesService, redis: RedisClient, clock: ClockPort, log: LogService) {
    super('webhook-lane', queues, redis, clock, log);
  }

  /** Adds the jobs. Redis failing right now costs nothing: the sweep finds the lanes. */
  async enqueue(partitions: readonly ScheduledPartition[]): Promise<void> {
    await this.announceAll(partitions.map(toDueJob));
  }

  /**
   * Adds the jobs of lanes that are due and have none waiting or running, and returns how many were missing.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  async addMissing(partitions: readonly ScheduledPartition[]): Promise<number> {
    return this.addAllMissing(partitions.map(toDueJob));
  }
}

/** Time and fence are part of its id: what is announced after a turn is never taken for what was announced before. */
function toDueJob({ workspaceId, webhookId, nextAt, fence }: ScheduledPartition): DueJob<RunWebhookPartition> {
  return { payload: { workspaceId, webhookId }, id: `lane-${webhookId}-${nextAt.getTime()}-${fence}`, dueAt: nextAt };
}
