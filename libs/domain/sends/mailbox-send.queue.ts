import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunMailboxSend = { workspaceId: string; mailboxId: string };

/** The next run of a mailbox. */
export interface ScheduledRun extends RunMailboxSend {
  nextAt: Date;
  fence: number;
}

/** One job per scheduled run of a mailbox. */
@Injectable()
export class MailboxSendQueue extends DueJobQueue<RunMailboxSend> {
  constructor(@InjectQueue('mailbox-send') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }

  /** Adds the jobs. If Redis is unavailable, the sweep adds them later. */
  async enqueue(runs: readonly ScheduledRun[]): Promise<void> {
    await this.enqueueAll(runs.map(toDueJob));
  }

  /**
   * Adds the jobs of due runs that have none waiting or running, and returns how many were missing.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async addMissing(runs: readonly ScheduledRun[]): Promise<number> {
    return this.addAllMissing(runs.map(toDueJob));
  }
}

/** Time and fence are part of the id, so that the job of a later run is never dropped as a duplicate. */
function toDueJob({ workspaceId, mailboxId, nextAt, fence }: ScheduledRun): DueJob<RunMailboxSend> {
  return {
    payload: { workspaceId, mailboxId },
    id: `turn-${mailboxId}-${nextAt.getTime()}-${fence}`,
    dueAt: nextAt,
  };
}
