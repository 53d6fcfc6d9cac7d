import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { LogService } from '@platform/observability';
import { JobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type VerifyLeads = { workspaceId: string; campaignId: string };

const QUEUE = 'lead-verification';

/** Verifies the leads of a campaign. */
@Injectable()
export class LeadVerificationQueue extends JobQueue<VerifyLeads> {
  constructor(
    @InjectQueue(QUEUE) queue: Queue,
    redis: RedisClient,
    private readonly log: LogService,
  ) {
    super(queue, redis);
  }

  /** Schedules the verification of new leads. If Redis fails, the sweep finds them. */
  async plan(payload: VerifyLeads): Promise<void> {
    try {
      await this.add(payload, { id: toJobId(payload) });
    } catch (error) {
      this.log.error('The verification of leads could not be scheduled; the sweep will schedule it', error, payload);
    }
  }

  /**
   * Schedules the verification of a campaign unless its job is waiting or running.
   * @returns whether the job was missing
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async planIfMissing(payload: VerifyLeads): Promise<boolean> {
    const id = toJobId(payload);
    const state = await this.redis.promptly(() => this.queue.getJobState(id));
    if (state === 'completed' || state === 'failed') await this.withdraw(id);
    else if (state !== 'unknown') return false;
    await this.add(payload, { id });
    return state === 'unknown';
  }
}

function toJobId({ campaignId }: VerifyLeads): string {
  return `verify-${campaignId}`;
}
