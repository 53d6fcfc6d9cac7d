import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';
import { type DueMailbox } from './warmup-mail.repository';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunWarmupSend = { workspaceId: string; mailboxId: string };

/** Wakes the sender when a mailbox has due warmup mail. */
@Injectable()
export class WarmupSendQueue extends DueJobQueue<RunWarmupSend> {
  constructor(@InjectQueue('warmup-send') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }

  /** A failure of Redis is harmless: the sweep finds due mail. */
  async enqueue(mailboxes: readonly DueMailbox[]): Promise<void> {
    await this.enqueueAll(mailboxes.map(toJob));
  }

  /**
   * Adds the missing jobs and returns their number.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async addMissing(mailboxes: readonly DueMailbox[]): Promise<number> {
    return this.addAllMissing(mailboxes.map(toJob));
  }
}

/** The id contains the time, so that each due time has its own job. */
function toJob({ workspaceId, mailboxId, dueAt }: DueMailbox): DueJob<RunWarmupSend> {
  const payload = { workspaceId: workspaceId.toHexString(), mailboxId: mailboxId.toHexString() };
  return { payload, id: `warmup-${payload.mailboxId}-${dueAt.getTime()}`, dueAt };
}
