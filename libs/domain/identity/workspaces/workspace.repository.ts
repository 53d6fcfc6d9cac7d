import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { WorkspaceRecord } from './schemas/workspace.record';
import { type Role } from '@domain/access';
import { UsersService } from '../users/users.service';

/** The facts of a workspace that authentication needs. */
export interface EntryDecision {
  workspaceId: string;
  /** Role of the requested user; null when they are not a member. */
  role: Role | null;
}

/** Reads of workspace records for services that change them. Used inside this library only. */
@Injectable()
export class WorkspaceRepository {
  constructor(
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly users: UsersService,
  ) {}

  /** @throws NOT_FOUND when the workspace does not exist or is deleted */
  async read(workspaceId: string): Promise<WorkspaceRecord> {
    const _id = parseId(workspaceId);
    const record = _id && (await this.workspaces.findOne({ _id, deletedAt: null }).lean());
    if (!record) throw notFound('Workspace');
    return record;
  }

  /**
   * Finds the workspace and claims it for the running transaction: a concurrent transaction that claims it conflicts
   * and is rerun. So decisions about members, limits and counts still hold when they are written.
   * @throws NOT_FOUND when the workspace does not exist or is deleted
   */
  async claim(workspaceId: string): Promise<WorkspaceRecord> {
    const record = await this.tryClaim(workspaceId);
    if (!record) throw notFound('Workspace');
    return record;
  }

  /** As `claim`, but returns null instead of throwing. */
  async tryClaim(workspaceId: string): Promise<WorkspaceRecord | null> {
    const _id = parseId(workspaceId);
    if (!_id) return null;
    return this.workspaces
      .findOneAndUpdate({ _id, deletedAt: null }, { $inc: { revision: 1 } }, { returnDocument: 'after' })
      .lean();
  }

  /** null when the workspace does not exist or is deleted. */
  async membership(workspaceId: string, userId: string | null): Promise<EntryDecision | null> {
    const _id = parseId(workspaceId);
    if (!_id) return null;
    const user = userId === null ? null : parseId(userId);
    const projection = { _id: 1, ...(user ? { members: { $elemMatch: { userId: user } } } : {}) };
    const found = await this.workspaces
      .findOne({ _id, deletedAt: null }, projection)
      .lean<Pick<WorkspaceRecord, '_id' | 'members'>>();
    if (!found) return null;
    return { workspaceId: found._id.toHexString(), role: (user && found.members?.[0]?.role) ?? null };
  }

  /** Whether the workspace still owns stored records: it is alive, or deleted but can be restored. */
  async isMember(workspaceId: string): Promise<boolean> {
    const _id = parseId(workspaceId);
    return _id !== null && (await this.workspaces.exists({ _id, purgeStartedAt: null })) !== null;
  }

  /** The workspaces among these that are not deleted; for work that runs in many workspaces. */
  async filterAlive(workspaceIds: readonly string[]): Promise<ReadonlySet<string>> {
    const ids = workspaceIds.map(parseId).filter((id) => id !== null);
    const found = await this.workspaces
      .find({ _id: { $in: ids }, deletedAt: null }, { _id: 1 })
      .lean<Pick<WorkspaceRecord, '_id'>[]>();
    return new Set(found.map(({ _id }) => _id.toHexString()));
  }

  /**
   * Gives users who can no longer enter their default workspace the one of which they have been members longest, or
   * none.
   */
  async replaceDefault(workspaceId: string, userIds: readonly string[]): Promise<void> {
    const losers = await this.users.withDefaultWorkspace(workspaceId, userIds);
    if (losers.length === 0) return;
    for (const [other, ids] of await this.#findNextDefaults(workspaceId, losers)) {
      // Claimed, so that no concurrent transaction deletes it or removes one of these members.
      const isThere = other !== null && (await this.tryClaim(other)) !== null;
      await this.users.replaceDefaultWorkspace(ids, workspaceId, isThere ? other : null);
    }
  }

  /** Gives this default workspace to users who have none. */
  async setWhereNone(workspaceId: string, userIds: readonly string[]): Promise<void> {
    await this.users.giveDefaultWorkspace(userIds, workspaceId);
  }

  /**
   * For each user, the other workspace of which they have been members longest, grouped by workspace; null where there
   * is none.
   */
  async #findNextDefaults(workspaceId: string, userIds: readonly string[]): Promise<Map<string | null, string[]>> {
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
