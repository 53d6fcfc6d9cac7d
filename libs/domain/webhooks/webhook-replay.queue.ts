import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type DueJob, DueJobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';
import { type WebhookReplayRecord } from './schemas/webhook-replay.record';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type ReplayWebhook = { workspaceId: string; webhookId: string; replayId: string };

type QueuedReplay = Pick<WebhookReplayRecord, '_id' | 'workspaceId' | 'replayId' | 'startedAt'>;

/** Wake-ups of replays. */
@Injectable()
export class WebhookReplayQueue extends DueJobQueue<ReplayWebhook> {
  constructor(@InjectQueue('webhook-replay') queue: Queue, redis: RedisClient, clock: ClockPort, log: LogService) {
    super(queue, redis, clock, log);
  }

  /** Enqueues a started replay. A Redis failure is harmless: the sweep finds it. */
  async plan(replay: QueuedReplay): Promise<void> {
    await this.enqueueAll([toDueJob(replay)]);
  }

  /**
   * Adds the missing jobs and returns their number.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async planMissing(replays: readonly QueuedReplay[]): Promise<number> {
    return this.addAllMissing(replays.map(toDueJob));
  }
}

function toDueJob({ _id, workspaceId, replayId, startedAt }: QueuedReplay): DueJob<ReplayWebhook> {
  const id = replayId.toHexString();
  const payload = { workspaceId: workspaceId.toHexString(), webhookId: _id.toHexString(), replayId: id };
  return { payload, id: `replay-${id}`, dueAt: startedAt };
}
