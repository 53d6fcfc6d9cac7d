import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { LogService } from '@platform/observability';
import { JobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type ImportLeads = { workspaceId: string; importId: string };

const QUEUE = 'lead-import';

/** Continues an import. */
@Injectable()
export class LeadImportQueue extends JobQueue<ImportLeads> {
  constructor(
    @InjectQueue(QUEUE) queue: Queue,
    redis: RedisClient,
    private readonly log: LogService,
  ) {
    super(queue, redis);
  }

  /** Schedules a new import. If Redis fails, the sweep schedules it. */
  async plan(payload: ImportLeads): Promise<void> {
    try {
      await this.#plan(payload);
    } catch (error) {
      this.log.error('The import could not be scheduled; the sweep will schedule it', error, payload);
    }
  }

  /**
   * Schedules an open import unless its job is waiting or running.
   * @returns whether the job was missing
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  async planIfMissing(payload: ImportLeads): Promise<boolean> {
    const id = toJobId(payload);
    const state = await this.redis.promptly(() => this.queue.getJobState(id));
    if (state === 'completed' || state === 'failed') await this.withdraw(id);
    else if (state !== 'unknown') return false;
    await this.#plan(payload);
    return state === 'unknown';
  }

  async #plan({ workspaceId, importId }: ImportLeads): Promise<void> {
    await this.add({ workspaceId, importId }, { id: toJobId({ workspaceId, importId }) });
  }
}

function toJobId({ importId }: ImportLeads): string {
  return `import-${importId}`;
}
