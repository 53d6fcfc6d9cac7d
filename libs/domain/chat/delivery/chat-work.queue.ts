import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunChatPartition = { workspaceId: string; connectionId: string };

/** A scheduled run of a connection. */
export interface ScheduledChatPartition extends RunChatPartition {
  nextAt: Date;
  fence: number;
}

/** Wake-ups of chat connections. */
@Injectable()
export class ChatWorkQueue extends DueJobQueue<RunChatPartition> {
  constructor(@InjectQueue('chat-work') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }

  /** Adds the jobs. A Redis failure is harmless: the sweep finds the partitions. */
  async enqueue(partitions: readonly ScheduledChatPartition[]): Promise<void> {
    await this.enqueueAll(partitions.map(toDueJob));
  }

  /**
   * Adds the missing jobs of due partitions and returns their number.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async addMissing(partitions: readonly ScheduledChatPartition[]): Promise<number> {
    return this.addAllMissing(partitions.map(toDueJob));
  }
}

/** The id contains time and fence: a job of the next run never equals one of the previous run. */
function toDueJob({ workspaceId, connectionId, nextAt, fence }: ScheduledChatPartition): DueJob<RunChatPartition> {
  const id = `chat-${connectionId}-${nextAt.getTime()}-${fence}`;
  return { payload: { workspaceId, connectionId }, id, dueAt: nextAt };
}
