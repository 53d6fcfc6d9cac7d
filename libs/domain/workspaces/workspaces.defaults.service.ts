import { UsersService } from '@domain/users';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { type Model } from 'mongoose';
import { WorkspaceRecord } from './schemas/workspace.record';

/** Where platform keys act when a request names no workspace. Joins the running transaction; inside this library only. */
@Injectable()
export class DefaultWorkspaces {
  constructor(
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly users: UsersService,
  ) {}

  /** Users who can no longer enter their default workspace get the one they have been in longest, or none. */
  async moveAway(workspaceId: string, userIds: readonly string[]): Promise<void> {
    for (const userId of await this.users.withDefaultWorkspace(workspaceId, userIds)) {
      const other = await this.workspaces
        .findOne({ 'members.userId': parseId(userId), deletedAt: null, _id: { $ne: parseId(workspaceId) } }, { _id: 1 })
        .sort({ createdAt: 1, _id: 1 })
        .lean();
      await this.users.setDefaultWorkspace(userId, other?._id.toHexString() ?? null);
    }
  }

  /** Users without a default workspace get this one. */
  async offer(workspaceId: string, userIds: readonly string[]): Promise<void> {
    for (const userId of await this.users.withDefaultWorkspace(null, userIds)) {
      await this.users.setDefaultWorkspace(userId, workspaceId);
    }
  }
}
