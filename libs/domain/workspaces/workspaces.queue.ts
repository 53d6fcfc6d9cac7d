import { Injectable } from '@nestjs/common';
import { JobProducer, Queues, RedisConnection } from '@platform/queues';
import { type Job } from 'bullmq';

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type PurgeWorkspace = { workspaceId: string };

const QUEUE = 'workspace-purge';

/** "Erase this deleted workspace, then." */
@Injectable()
export class WorkspacePurgeQueue extends JobProducer<PurgeWorkspace> {
  constructor(
    private readonly all: Queues,
    private readonly connection: RedisConnection,
  ) {
    super(QUEUE, all, connection);
  }

  /** @throws SERVICE_UNAVAILABLE while Redis is away */
  async plan(workspaceId: string, dueAt: Date, delayMs: number): Promise<void> {
    await this.add({ workspaceId }, { id: idOf(workspaceId, dueAt), delayMs });
  }

  /**
   * Whether a job of that due time is still to run. One that has finished is forgotten: it found nothing to do yet, or
   * somebody would not ask, and its id would keep the next one out. @throws SERVICE_UNAVAILABLE while Redis is away
   */
  async isPlanned(workspaceId: string, dueAt: Date): Promise<boolean> {
    return this.connection.promptly(async () => {
      const job: Job | undefined = await this.all.get(QUEUE).getJob(idOf(workspaceId, dueAt));
      if (!job) return false;
      if (!(await job.isCompleted()) && !(await job.isFailed())) return true;
      await job.remove();
      return false;
    });
  }
}

/** The due time is part of it: a workspace that was restored and deleted again gets a job of its own. */
function idOf(workspaceId: string, dueAt: Date): string {
  return `purge-${workspaceId}-${dueAt.getTime()}`;
}
