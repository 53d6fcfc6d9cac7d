import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { JobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type CheckMailbox = { workspaceId: string; mailboxId: string };

const QUEUE = 'mailbox-check';

/** Job: check this mailbox when its next check is due. */
@Injectable()
export class MailboxCheckQueue extends JobQueue<CheckMailbox> {
  constructor(
    @InjectQueue(QUEUE) queue: Queue,
    redis: RedisClient,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {
    super(queue, redis);
  }

  /** Schedules the check of a mailbox that has just failed. If Redis fails, the sweep schedules it. */
  async schedule(mailbox: CheckMailbox, dueAt: Date): Promise<void> {
    try {
      await this.#schedule(mailbox, dueAt);
    } catch (error) {
      this.log.error('The check of a mailbox is not scheduled yet; the sweep will schedule it', error, mailbox);
    }
  }

  /**
   * Schedules a due check unless its job is waiting or running; returns whether the job was missing. A finished job
   * ran too early, and a delayed job is late by a wrong clock.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async scheduleIfMissing(mailbox: CheckMailbox, dueAt: Date): Promise<boolean> {
    const id = getJobId(mailbox, dueAt);
    const state = await this.redis.promptly(() => this.queue.getJobState(id));
    if (state === 'unknown') {
      await this.#schedule(mailbox, dueAt);
      return true;
    }
    if (state === 'completed' || state === 'failed' || state === 'delayed') {
      await this.withdraw(id);
      await this.#schedule(mailbox, dueAt);
    }
    return false;
  }

  async #schedule({ workspaceId, mailboxId }: CheckMailbox, dueAt: Date): Promise<void> {
    const delayMs = dueAt.getTime() - this.clock.now().getTime();
    await this.add({ workspaceId, mailboxId }, { id: getJobId({ workspaceId, mailboxId }, dueAt), delayMs });
  }
}

/** Includes the due time: each attempt has one job, however often it is scheduled. */
function getJobId({ mailboxId }: CheckMailbox, dueAt: Date): string {
  return `check-${mailboxId}-${dueAt.getTime()}`;
}
