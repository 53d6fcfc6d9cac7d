import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, QueuesService, RedisClient } from '@platform/queues';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunChatPartition = { workspaceId: string; connectionId: string };

/** A turn that a connection should have. */
export interface ScheduledChatPartition extends RunChatPartition {
  nextAt: Date;
  fence: number;
}

/** "There is something to tell in this chat at that time." */
@Injectable()
export class ChatWorkQueue extends DueJobQueue<RunChatPartition> {
  constructor(queues: QueuesService, redis: RedisClient, clock: ClockPort, log: LogService) {
    super('chat-lane', queues, redis, clock, log);
  }

  /** Adds the jobs. Redis failing right now costs nothing: the sweep finds the lanes. */
  async enqueue(partitions: readonly ScheduledChatPartition[]): Promise<void> {
    await this.announceAll(partitions.map(toDueJob));
  }

  /**
   * Adds the jobs of lanes that are due and have none waiting or running, and returns how many were missing.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  async addMissing(partitions: readonly ScheduledChatPartition[]): Promise<number> {
    return this.addAllMissing(partitions.map(toDueJob));
  }
}

/** Time and fence are part of its id: what is announced after a turn is never taken for what was announced before. */
function toDueJob({ workspaceId, connectionId, nextAt, fence }: ScheduledChatPartition): DueJob<RunChatPartition> {
  const id = `chat-${connectionId}-${nextAt.getTime()}-${fence}`;
  return { payload: { workspaceId, connectionId }, id, dueAt: nextAt };
}
