import { type PurgeWorkspace, WorkspaceDeletionService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { JobProcessor } from '../jobs';

/** Erases a deleted workspace once it can no longer be restored. */
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
