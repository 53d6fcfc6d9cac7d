import { UsersService } from '../users/users.service';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { WorkspaceRecord } from './schemas/workspace.record';
import { WorkspaceRepository } from './workspace.repository';

/** Where platform keys act when a request names no workspace. Joins the running transaction; inside this library only. */
@Injectable()
export class DefaultWorkspacesRepository {
  constructor(
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly claims: WorkspaceRepository,
    private readonly users: UsersService,
  ) {}

  /** Users who can no longer enter their default workspace get the one they have been in longest, or none. */
  async replaceDefault(workspaceId: string, userIds: readonly string[]): Promise<void> {
    const losers = await this.users.withDefaultWorkspace(workspaceId, userIds);
    if (losers.length === 0) return;
    for (const [other, ids] of await this.#othersOf(workspaceId, losers)) {
      // Claimed, so that it cannot be deleted, or left by one of them, at the same time.
      const isThere = other !== null && (await this.claims.tryClaim(other)) !== null;
      await this.users.replaceDefaultWorkspace(ids, workspaceId, isThere ? other : null);
    }
  }

  /** Users without a default workspace get this one. */
  async setWhereNone(workspaceId: string, userIds: readonly string[]): Promise<void> {
    await this.users.giveDefaultWorkspace(userIds, workspaceId);
  }

  /** The other workspace that each has been in longest, with those for whom it is that one; null where there is none. */
  async #othersOf(workspaceId: string, userIds: readonly string[]): Promise<Map<string | null, string[]>> {
    const members = { 'members.userId': { $in: userIds.map(parseId) } };
    const oldest = await this.workspaces.aggregate<{ _id: Types.ObjectId; workspaceId: Types.ObjectId }>([
      { $match: { ...members, deletedAt: null, _id: { $ne: parseId(workspaceId) } } },
      { $project: { 'members.userId': 1, 'members.joinedAt': 1 } },
      { $unwind: '$members' },
      { $match: members },
      { $sort: { 'members.joinedAt': 1, _id: 1 } },
      { $group: { _id: '$members.userId', workspaceId: { $first: '$_id' } } },
    ]);
    const otherOf = new Map(oldest.map((found) => [found._id.toHexString(), found.workspaceId.toHexString()]));
    return Map.groupBy(userIds, (userId) => otherOf.get(userId) ?? null);
  }
}
