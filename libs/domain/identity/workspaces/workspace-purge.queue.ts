import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { LogService } from '@platform/observability';
import { JobQueue, RedisClient } from '@platform/queues';
import { type Queue } from 'bullmq';

// A type, not an interface: only a type literal satisfies the index signature of a job payload.
export type PurgeWorkspace = { workspaceId: string };

const QUEUE = 'workspace-purge';
const DAY_MS = 86_400_000;

/** Purges one deleted workspace when its retention time is over. */
@Injectable()
export class WorkspacePurgeQueue extends JobQueue<PurgeWorkspace> {
  constructor(
    @InjectQueue(QUEUE) queue: Queue,
    redis: RedisClient,
    private readonly clock: ClockPort,
    private readonly config: Config,
    private readonly log: LogService,
  ) {
    super(queue, redis);
  }

  /** Schedules the purge of a workspace just deleted. A Redis failure costs nothing: the sweep schedules it later. */
  async plan(workspaceId: string, deletedAt: Date): Promise<void> {
    try {
      await this.#plan(workspaceId, this.#dueAt(deletedAt));
    } catch (error) {
      this.log.error('The purge is not scheduled; the sweep retries', error, { workspaceId });
    }
  }

  /**
   * Schedules the purge unless a job for this time is waiting, and returns whether it did. A finished job is removed
   * first: its id would block the new one.
   * @throws SERVICE_UNAVAILABLE while Redis is down
   */
  async planIfMissing(workspaceId: string, deletedAt: Date): Promise<boolean> {
    const dueAt = this.#dueAt(deletedAt);
    const id = createJobId(workspaceId, dueAt);
    const state = await this.redis.promptly(() => this.queue.getJobState(id));
    const isFinished = state === 'completed' || state === 'failed';
    if (!isFinished && state !== 'unknown') return false;
    if (isFinished) await this.withdraw(id);
    await this.#plan(workspaceId, dueAt);
    return true;
  }

  async #plan(workspaceId: string, dueAt: Date): Promise<void> {
    const delayMs = dueAt.getTime() - this.clock.now().getTime();
    await this.add({ workspaceId }, { id: createJobId(workspaceId, dueAt), delayMs });
  }

  #dueAt(deletedAt: Date): Date {
    return new Date(deletedAt.getTime() + this.config.workspaceRetentionDays * DAY_MS);
  }
}

/** Contains the due time: a workspace that is restored and deleted again gets a job of its own. */
function createJobId(workspaceId: string, dueAt: Date): string {
  return `purge-${workspaceId}-${dueAt.getTime()}`;
}
