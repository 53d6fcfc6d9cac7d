import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { AppError } from '@platform/errors';
import { JobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';
import { type AskLabel } from './label-request.repository';

const QUEUE = 'reply-label';

/** Wakes the labelling of a reply by the model. */
@Injectable()
export class ReplyLabelQueue extends JobQueue<AskLabel> {
  constructor(@InjectQueue(QUEUE) queue: Queue, redis: RedisClient) {
    super(queue, redis);
  }

  /** Does nothing while Redis is unavailable: the sweep enqueues it later. */
  async enqueue(ask: AskLabel): Promise<void> {
    try {
      await this.add(ask, { id: toJobId(ask) });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')) throw error;
    }
  }

  /**
   * Adds the job unless it is waiting or running; returns whether it was missing.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async addMissing(ask: AskLabel): Promise<boolean> {
    const id = toJobId(ask);
    const state = await this.redis.promptly(() => this.queue.getJobState(id));
    if (state === 'completed' || state === 'failed') await this.withdraw(id);
    else if (state !== 'unknown') return false;
    await this.add(ask, { id });
    return true;
  }
}

function toJobId({ messageId }: AskLabel): string {
  return `label-${messageId}`;
}
