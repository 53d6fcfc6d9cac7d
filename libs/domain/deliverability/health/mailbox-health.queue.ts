import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';
import { type DomainHealthRecord } from '../schemas/domain-health.record';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type CheckDomainHealth = { workspaceId: string; healthId: string };

type Planned = Pick<DomainHealthRecord, '_id' | 'workspaceId' | 'nextCheckAt'>;

/** Wakes the worker to check a domain. */
@Injectable()
export class MailboxHealthQueue extends DueJobQueue<CheckDomainHealth> {
  constructor(@InjectQueue('mailbox-health') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }

  /** A failure of Redis is harmless: the sweep finds due domains. */
  async plan(domains: readonly Planned[]): Promise<void> {
    await this.enqueueAll(domains.map(toJob));
  }

  /**
   * Adds the missing jobs and returns their number.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async planMissing(domains: readonly Planned[]): Promise<number> {
    return this.addAllMissing(domains.map(toJob));
  }
}

/** The id contains the due time, so that each check has its own job. */
function toJob({ _id, workspaceId, nextCheckAt }: Planned): DueJob<CheckDomainHealth> {
  const healthId = _id.toHexString();
  const payload = { workspaceId: workspaceId.toHexString(), healthId };
  return { payload, id: `health-${healthId}-${nextCheckAt.getTime()}`, dueAt: nextCheckAt };
}
