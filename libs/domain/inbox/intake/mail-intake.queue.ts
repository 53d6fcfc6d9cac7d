import { type Arrival } from '@domain/mailboxes';
import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { JobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type TakeMailIn = { workspaceId: string; mailboxId: string };

const QUEUE = 'mail-intake';

/** Wakes the intake of a mailbox with new mail. */
@Injectable()
export class MailIntakeQueue extends JobQueue<TakeMailIn> {
  constructor(
    @InjectQueue(QUEUE) queue: Queue,
    redis: RedisClient,
    private readonly clock: ClockPort,
  ) {
    super(queue, redis);
  }

  /** Adds a new job for each arrival: a running one may have read the mailbox already. */
  async enqueue({ workspaceId, mailboxId }: Arrival): Promise<void> {
    await this.add({ workspaceId, mailboxId }, { id: `intake-${mailboxId}-${this.clock.now().getTime()}` });
  }

  /**
   * Adds a job for a mailbox with unfinished mail unless one is waiting or running; returns whether it was missing.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async addMissing({ workspaceId, mailboxId }: Arrival): Promise<boolean> {
    const id = `intake-${mailboxId}-swept`;
    const state = await this.redis.promptly(() => this.queue.getJobState(id));
    if (state === 'completed' || state === 'failed') await this.withdraw(id);
    else if (state !== 'unknown') return false;
    await this.add({ workspaceId, mailboxId }, { id });
    return true;
  }
}
