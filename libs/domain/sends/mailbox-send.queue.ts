import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, QueuesService, RedisClient } from '@platform/queues';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunMailboxSend = { workspaceId: string; mailboxId: string };

/** A turn that a mailbox should have. */
export interface ScheduledRun extends RunMailboxSend {
  nextAt: Date;
  fence: number;
}

/** "This mailbox can do something at that time." */
@Injectable()
export class MailboxSendQueue extends DueJobQueue<RunMailboxSend> {
  constructor(queues: QueuesService, redis: RedisClient, clock: ClockPort, log: LogService) {
    super('mailbox-turn', queues, redis, clock, log);
  }

  /** Adds the jobs. Redis failing right now costs nothing: the sweep finds the turns. */
  async enqueue(turns: readonly ScheduledRun[]): Promise<void> {
    await this.enqueueAll(turns.map(jobOf));
  }

  /**
   * Adds the jobs of turns that are due and have none waiting or running, and returns how many were missing.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  async addMissing(turns: readonly ScheduledRun[]): Promise<number> {
    return this.addAllMissing(turns.map(jobOf));
  }
}

/** Time and fence are part of its id: what is announced after a turn is never taken for what was announced before. */
function jobOf({ workspaceId, mailboxId, nextAt, fence }: ScheduledRun): DueJob<RunMailboxSend> {
  return {
    payload: { workspaceId, mailboxId },
    id: `turn-${mailboxId}-${nextAt.getTime()}-${fence}`,
    dueAt: nextAt,
  };
}
