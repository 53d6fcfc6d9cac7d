import { type PurgeWorkspace, WorkspaceDeletionService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Purges a deleted workspace after its retention time. */
@Injectable()
export class WorkspacePurgeProcessor extends JobProcessor<PurgeWorkspace> {
  readonly queue = 'workspace-purge' as const;

  constructor(private readonly purging: WorkspaceDeletionService) {
    super();
  }

  async handle({ workspaceId }: PurgeWorkspace, signal: AbortSignal): Promise<void> {
    await this.purging.purge(workspaceId, signal);
  }
}
