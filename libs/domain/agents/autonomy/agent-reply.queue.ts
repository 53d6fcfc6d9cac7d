import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type GoOnWithReply = { workspaceId: string; agentReplyId: string };

type Planned = Pick<AgentReplyRecord, '_id' | 'workspaceId' | 'dueAt'>;

/** Processes a reply of an agent. */
@Injectable()
export class AgentReplyQueue extends DueJobQueue<GoOnWithReply> {
  constructor(@InjectQueue('agent-reply') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }

  /** If Redis fails, the sweep finds due replies. */
  async plan(replies: readonly Planned[]): Promise<void> {
    await this.enqueueAll(replies.flatMap(toJob));
  }

  /**
   * Schedules replies without a waiting or running job.
   * @returns the number of missing jobs
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async planMissing(replies: readonly Planned[]): Promise<number> {
    return this.addAllMissing(replies.flatMap(toJob));
  }
}

function toJob({ _id, workspaceId, dueAt }: Planned): DueJob<GoOnWithReply>[] {
  if (!dueAt) return [];
  const agentReplyId = _id.toHexString();
  const payload = { workspaceId: workspaceId.toHexString(), agentReplyId };
  return [{ payload, id: `agent-reply-${agentReplyId}-${dueAt.getTime()}`, dueAt }];
}
