import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, QueuesService, RedisClient } from '@platform/queues';
import { type DomainHealthRecord } from '../schemas/domain-health.record';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type CheckDomainHealth = { workspaceId: string; healthId: string };

type Planned = Pick<DomainHealthRecord, '_id' | 'workspaceId' | 'nextCheckAt'>;

/** "Check the DNS records of this domain." */
@Injectable()
export class MailboxHealthQueue extends DueJobQueue<CheckDomainHealth> {
  constructor(queues: QueuesService, connection: RedisClient, clock: ClockPort, log: LogService) {
    super('mailbox-health', queues, connection, clock, log);
  }

  /** Redis failing right now costs nothing: the sweep finds what is due. */
  async plan(domains: readonly Planned[]): Promise<void> {
    await this.announceAll(domains.map(toJob));
  }

  /**
   * Plans those whose job is neither waiting nor running, and returns how many were missing.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  async planMissing(domains: readonly Planned[]): Promise<number> {
    return this.addAllMissing(domains.map(toJob));
  }
}

/** The due time is part of the id: each check has a job of its own, however often it is asked for. */
function toJob({ _id, workspaceId, nextCheckAt }: Planned): DueJob<CheckDomainHealth> {
  const healthId = _id.toHexString();
  const payload = { workspaceId: workspaceId.toHexString(), healthId };
  return { payload, id: `health-${healthId}-${nextCheckAt.getTime()}`, dueAt: nextCheckAt };
}
