import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { forbidden } from '@platform/errors';
import { type Model } from 'mongoose';
import { type MessageResponse } from './dto/workspace.dto';
import { currentRole, decidingRole } from './member-rules';
import { memberIds, WorkspaceRecord } from './schemas/workspace.record';
import { WorkspaceRepository } from './workspace.repository';
import { DefaultWorkspacesRepository } from './default-workspaces.repository';
import { WorkspacePurgeQueue } from './workspace-purge.queue';

/** The end of a workspace: deleted, for a while restorable (WorkspaceRestoreService), then erased (WorkspacePurge). */
@Injectable()
export class WorkspaceDeletionService {
  constructor(
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly claims: WorkspaceRepository,
    private readonly defaults: DefaultWorkspacesRepository,
    private readonly purges: WorkspacePurgeQueue,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * From now on nobody knows the workspace, and its keys open nothing. Its data are erased after the retention time.
   * @throws NOT_FOUND, FORBIDDEN for anybody but the owner, SERVICE_UNAVAILABLE while Redis is away, and then nothing was changed
   */
  async delete(workspace: WorkspaceScope): Promise<MessageResponse> {
    const { workspaceId } = workspace;
    await this.purges.ensureReachable();
    const deletedAt = await this.transactions.run(async () => {
      const record = await this.claims.claim(workspaceId);
      if (decidingRole(currentRole(workspace, record.members)) !== 'owner')
        throw forbidden('Only the owner may delete the workspace');
      const now = this.clock.now();
      await this.workspaces.updateOne({ _id: record._id }, { $set: { deletedAt: now } });
      await this.defaults.replaceDefault(workspaceId, memberIds(record));
      await this.audit.record(workspace, {
        action: 'workspace.deleted',
        target: { type: 'workspace', id: workspaceId },
      });
      return now;
    });
    await this.purges.plan(workspaceId, deletedAt);
    return { message: 'Workspace deleted' };
  }
}
