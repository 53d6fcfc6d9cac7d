import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { LogService } from '@platform/observability';
import { JobQueue, QueuesService, RedisClient } from '@platform/queues';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type PurgeWorkspace = { workspaceId: string };

const QUEUE = 'workspace-purge';
const DAY_MS = 86_400_000;

/** "Erase this deleted workspace when its retention time is over." */
@Injectable()
export class WorkspacePurgeQueue extends JobQueue<PurgeWorkspace> {
  constructor(
    private readonly all: QueuesService,
    private readonly connection: RedisClient,
    private readonly clock: ClockPort,
    private readonly config: Config,
    private readonly log: LogService,
  ) {
    super(QUEUE, all, connection);
  }

  /** For a workspace that has just been deleted. Redis failing right now costs nothing: the sweep plans it. */
  async plan(workspaceId: string, deletedAt: Date): Promise<void> {
    try {
      await this.#plan(workspaceId, this.#dueAt(deletedAt));
    } catch (error) {
      this.log.error('Purge not planned yet; the sweep will plan it', error, { workspaceId });
    }
  }

  /**
   * Plans it unless a job of that time is still to run, and says whether it did. One that has finished is forgotten: it
   * found nothing to do yet, or somebody would not ask, and its id would keep the next one out.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  async planIfMissing(workspaceId: string, deletedAt: Date): Promise<boolean> {
    const dueAt = this.#dueAt(deletedAt);
    const id = idOf(workspaceId, dueAt);
    const state = await this.connection.promptly(() => this.all.get(QUEUE).getJobState(id));
    const isFinished = state === 'completed' || state === 'failed';
    if (!isFinished && state !== 'unknown') return false;
    if (isFinished) await this.withdraw(id);
    await this.#plan(workspaceId, dueAt);
    return true;
  }

  async #plan(workspaceId: string, dueAt: Date): Promise<void> {
    const delayMs = dueAt.getTime() - this.clock.now().getTime();
    await this.add({ workspaceId }, { id: idOf(workspaceId, dueAt), delayMs });
  }

  #dueAt(deletedAt: Date): Date {
    return new Date(deletedAt.getTime() + this.config.workspaceRetentionDays * DAY_MS);
  }
}

/** The due time is part of it: a workspace that was restored and deleted again gets a job of its own. */
function idOf(workspaceId: string, dueAt: Date): string {
  return `purge-${workspaceId}-${dueAt.getTime()}`;
}
