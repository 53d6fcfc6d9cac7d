import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { parseId, Transactions } from '@platform/database';
import { conflict, forbidden, notFound } from '@platform/errors';
import { type Sweep } from '@platform/queues';
import { type Model } from 'mongoose';
import { type MessageResponse, toWorkspace, type WorkspaceResponse } from './dto/workspace.dto';
import { askingNow, decidingRole } from './member.rules';
import { WorkspaceRecord } from './schemas/workspace.record';
import { WorkspaceClaims } from './workspaces.claims.service';
import { DefaultWorkspaces } from './workspaces.defaults.service';
import { WorkspacePurge } from './workspaces.purge.service';

/** The end of a workspace: deleted, for a while restorable, then erased. */
@Injectable()
export class WorkspaceDeletionService implements Sweep {
  readonly name = 'workspace-purge';

  constructor(
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly claims: WorkspaceClaims,
    private readonly defaults: DefaultWorkspaces,
    private readonly purging: WorkspacePurge,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * From now on nobody knows the workspace, and its keys open nothing. Its data are erased after the retention time.
   * @throws NOT_FOUND, FORBIDDEN for anybody but the owner, SERVICE_UNAVAILABLE while Redis is away, and then nothing was changed
   */
  async delete(workspace: WorkspaceScope): Promise<MessageResponse> {
    const { workspaceId } = workspace;
    await this.purging.ensurePlannable();
    const deletedAt = await this.transactions.run(async () => {
      const record = await this.claims.claim(workspaceId);
      if (decidingRole(askingNow(workspace, record.members)) !== 'owner')
        throw forbidden('Only the owner may delete the workspace');
      const now = this.clock.now();
      await this.workspaces.updateOne({ _id: record._id }, { $set: { deletedAt: now } });
      await this.defaults.moveAway(workspaceId, memberIds(record));
      await this.audit.record(workspace, {
        action: 'workspace.deleted',
        target: { type: 'workspace', id: workspaceId },
      });
      return now;
    });
    await this.purging.plan(workspaceId, deletedAt);
    return { message: 'Workspace deleted' };
  }

  /**
   * The operator takes a deletion back, keys and all, as long as erasing has not begun.
   * @throws NOT_FOUND for a workspace that does not exist, CONFLICT for one that is not deleted or is being erased
   */
  async restore(workspace: WorkspaceScope): Promise<WorkspaceResponse> {
    const { workspaceId } = workspace;
    return this.transactions.run(async () => {
      const record = await this.workspaces.findById(parseId(workspaceId)).lean();
      if (!record) throw notFound('Workspace');
      if (record.deletedAt === null) throw conflict('This workspace is not deleted');
      const { modifiedCount } = await this.workspaces.updateOne(
        { _id: record._id, deletedAt: record.deletedAt, purgeStartedAt: null },
        { $set: { deletedAt: null }, $inc: { revision: 1 } },
      );
      if (modifiedCount === 0) throw conflict('This workspace is being erased');
      await this.defaults.offer(workspaceId, memberIds(record));
      await this.audit.record(workspace, {
        action: 'workspace.restored',
        target: { type: 'workspace', id: workspaceId },
      });
      return toWorkspace(record);
    });
  }

  /** The job: erases a deleted workspace whose retention time is over; otherwise it does nothing. */
  async purge(workspaceId: string, signal?: AbortSignal): Promise<void> {
    await this.purging.purge(workspaceId, signal);
  }

  /** Gives deleted workspaces their purge jobs back after Redis was emptied. */
  async sweep(): Promise<number> {
    return this.purging.sweep();
  }
}

function memberIds({ members }: WorkspaceRecord): string[] {
  return members.map(({ userId }) => userId.toHexString());
}
