import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, QueuesService, RedisClient } from '@platform/queues';
import { type DueMailbox } from './warmup-mail.repository';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunWarmupSend = { workspaceId: string; mailboxId: string };

/** "This mailbox has warmup mail to send at that time." */
@Injectable()
export class WarmupSendQueue extends DueJobQueue<RunWarmupSend> {
  constructor(queues: QueuesService, connection: RedisClient, clock: ClockPort, log: LogService) {
    super('warmup-turn', queues, connection, clock, log);
  }

  /** Redis failing right now costs nothing: the sweep finds what is due. */
  async enqueue(mailboxes: readonly DueMailbox[]): Promise<void> {
    await this.announceAll(mailboxes.map(toJob));
  }

  /**
   * Adds the jobs of those that have none waiting or running, and returns how many were missing.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  async addMissing(mailboxes: readonly DueMailbox[]): Promise<number> {
    return this.addAllMissing(mailboxes.map(toJob));
  }
}

/** The time is part of the id: what is due anew has a job of its own. */
function toJob({ workspaceId, mailboxId, dueAt }: DueMailbox): DueJob<RunWarmupSend> {
  const payload = { workspaceId: workspaceId.toHexString(), mailboxId: mailboxId.toHexString() };
  return { payload, id: `warmup-${payload.mailboxId}-${dueAt.getTime()}`, dueAt };
}
