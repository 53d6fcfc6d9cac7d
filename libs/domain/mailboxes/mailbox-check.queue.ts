import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { JobQueue, QueuesService, RedisClient } from '@platform/queues';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type CheckMailbox = { workspaceId: string; mailboxId: string };

const QUEUE = 'mailbox-check';

/** "Try this mailbox again when its next check is due." */
@Injectable()
export class MailboxCheckQueue extends JobQueue<CheckMailbox> {
  constructor(
    private readonly all: QueuesService,
    private readonly connection: RedisClient,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {
    super(QUEUE, all, connection);
  }

  /** For a mailbox that has just failed. Redis failing right now costs nothing: the sweep plans it. */
  async plan(mailbox: CheckMailbox, dueAt: Date): Promise<void> {
    try {
      await this.#plan(mailbox, dueAt);
    } catch (error) {
      this.log.error('Check of a mailbox not planned yet; the sweep will plan it', error, mailbox);
    }
  }

  /**
   * Plans a check that is due unless its job is waiting or running, and says whether the job was missing. One that has
   * finished found nothing to do yet, or the sweep would not ask; one that is delayed is late by somebody's clock.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  async planIfMissing(mailbox: CheckMailbox, dueAt: Date): Promise<boolean> {
    const id = getJobId(mailbox, dueAt);
    const state = await this.connection.promptly(() => this.all.get(QUEUE).getJobState(id));
    if (state === 'unknown') {
      await this.#plan(mailbox, dueAt);
      return true;
    }
    if (state === 'completed' || state === 'failed' || state === 'delayed') {
      await this.withdraw(id);
      await this.#plan(mailbox, dueAt);
    }
    return false;
  }

  async #plan({ workspaceId, mailboxId }: CheckMailbox, dueAt: Date): Promise<void> {
    const delayMs = dueAt.getTime() - this.clock.now().getTime();
    await this.add({ workspaceId, mailboxId }, { id: getJobId({ workspaceId, mailboxId }, dueAt), delayMs });
  }
}

/** The due time is part of it: each try has a job of its own, however often it is asked for. */
function getJobId({ mailboxId }: CheckMailbox, dueAt: Date): string {
  return `check-${mailboxId}-${dueAt.getTime()}`;
}
