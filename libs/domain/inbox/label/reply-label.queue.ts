import { Injectable } from '@nestjs/common';
import { AppError } from '@platform/errors';
import { JobQueue, QueuesService, RedisClient } from '@platform/queues';
import { type AskLabel } from './label-request.repository';

const QUEUE = 'reply-label';

/** "The model has not said yet what this answer means." */
@Injectable()
export class ReplyLabelQueue extends JobQueue<AskLabel> {
  constructor(
    private readonly all: QueuesService,
    private readonly connection: RedisClient,
  ) {
    super(QUEUE, all, connection);
  }

  /** While Redis is away nothing happens: the sweep finds what waits. */
  async enqueue(ask: AskLabel): Promise<void> {
    try {
      await this.add(ask, { id: idOf(ask) });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE')) throw error;
    }
  }

  /**
   * Adds the job unless it is waiting or running; says whether it was missing.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  async addMissing(ask: AskLabel): Promise<boolean> {
    const id = idOf(ask);
    const state = await this.connection.promptly(() => this.all.get(QUEUE).getJobState(id));
    if (state === 'completed' || state === 'failed') await this.withdraw(id);
    else if (state !== 'unknown') return false;
    await this.add(ask, { id });
    return true;
  }
}

function idOf({ messageId }: AskLabel): string {
  return `label-${messageId}`;
}
