import { type Arrival } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { JobQueue, QueuesService, RedisClient } from '@platform/queues';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type TakeMailIn = { workspaceId: string; mailboxId: string };

const QUEUE = 'mail-intake';

/** Wakes the intake of a mailbox with new mail. */
@Injectable()
export class MailIntakeQueue extends JobQueue<TakeMailIn> {
  constructor(
    private readonly all: QueuesService,
    private readonly connection: RedisClient,
    private readonly clock: ClockPort,
  ) {
    super(QUEUE, all, connection);
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
    const state = await this.connection.promptly(() => this.all.get(QUEUE).getJobState(id));
    if (state === 'completed' || state === 'failed') await this.withdraw(id);
    else if (state !== 'unknown') return false;
    await this.add({ workspaceId, mailboxId }, { id });
    return true;
  }
}
