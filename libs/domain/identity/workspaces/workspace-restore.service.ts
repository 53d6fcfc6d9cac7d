import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { UsersService } from '../users/users.service';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Config } from '@platform/config';
import { parseId, TransactionService } from '@platform/database';
import { conflict, notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { toWorkspace, type WorkspaceResponse } from './dto/workspace.dto';
import { memberIds, WorkspaceRecord } from './schemas/workspace.record';
import { DefaultWorkspacesRepository } from './default-workspaces.repository';
import { requireRoomToOwn } from './workspace-limits.service';

/** A deleted workspace comes back. */
@Injectable()
export class WorkspaceRestoreService {
  constructor(
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly defaults: DefaultWorkspacesRepository,
    private readonly users: UsersService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly config: Config,
  ) {}

  /**
   * The operator takes a deletion back, keys and all, as long as erasing has not begun.
   * @throws NOT_FOUND for a workspace that does not exist, CONFLICT for one that is not deleted or is being erased,
   * LIMIT_EXCEEDED when its owner owns as many others as one user may
   */
  async restore(workspace: WorkspaceScope): Promise<WorkspaceResponse> {
    const { workspaceId } = workspace;
    return this.transactions.run(async () => {
      const record = await this.workspaces.findById(parseId(workspaceId)).lean();
      if (!record) throw notFound('Workspace');
      if (record.deletedAt === null) throw conflict('This workspace is not deleted');
      await this.users.claim(record.ownerId.toHexString());
      await requireRoomToOwn(this.workspaces, record.ownerId, this.config.maxWorkspacesPerUser);
      const { modifiedCount } = await this.workspaces.updateOne(
        { _id: record._id, deletedAt: record.deletedAt, purgeStartedAt: null },
        { $set: { deletedAt: null }, $inc: { revision: 1 } },
      );
      if (modifiedCount === 0) throw conflict('This workspace is being erased');
      await this.defaults.setWhereNone(workspaceId, memberIds(record));
      await this.audit.record(workspace, {
        action: 'workspace.restored',
        target: { type: 'workspace', id: workspaceId },
      });
      return toWorkspace(record);
    });
  }
}
