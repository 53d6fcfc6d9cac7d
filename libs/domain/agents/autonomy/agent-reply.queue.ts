import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, QueuesService, RedisClient } from '@platform/queues';
import { type AgentReplyRecord } from '../schemas/agent-reply.record';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type GoOnWithReply = { workspaceId: string; agentReplyId: string };

type Planned = Pick<AgentReplyRecord, '_id' | 'workspaceId' | 'dueAt'>;

/** "Something is to be done about what an agent answers." */
@Injectable()
export class AgentReplyQueue extends DueJobQueue<GoOnWithReply> {
  constructor(queues: QueuesService, connection: RedisClient, clock: ClockPort, log: LogService) {
    super('agent-reply', queues, connection, clock, log);
  }

  /** Redis failing right now costs nothing: the sweep finds what is due. */
  async plan(replies: readonly Planned[]): Promise<void> {
    await this.enqueueAll(replies.flatMap(jobOf));
  }

  /**
   * Plans those whose job is neither waiting nor running, and returns how many were missing.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  async planMissing(replies: readonly Planned[]): Promise<number> {
    return this.addAllMissing(replies.flatMap(jobOf));
  }
}

function jobOf({ _id, workspaceId, dueAt }: Planned): DueJob<GoOnWithReply>[] {
  if (!dueAt) return [];
  const agentReplyId = _id.toHexString();
  const payload = { workspaceId: workspaceId.toHexString(), agentReplyId };
  return [{ payload, id: `agent-reply-${agentReplyId}-${dueAt.getTime()}`, dueAt }];
}
