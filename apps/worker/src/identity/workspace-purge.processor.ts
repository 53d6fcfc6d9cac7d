import { type PurgeWorkspace, WorkspaceDeletionService } from '@domain/identity';
import { Processor } from '@nestjs/bullmq';
import { getWorkerOptions } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Purges a deleted workspace after its retention time. */
@Processor('workspace-purge', getWorkerOptions('workspace-purge'))
export class WorkspacePurgeProcessor extends JobProcessor<PurgeWorkspace> {
  constructor(private readonly purging: WorkspaceDeletionService) {
    super();
  }

  async handle({ workspaceId }: PurgeWorkspace, signal: AbortSignal): Promise<void> {
    await this.purging.purge(workspaceId, signal);
  }
}
