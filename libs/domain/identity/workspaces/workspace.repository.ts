import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { WorkspaceRecord } from './schemas/workspace.record';
import { type Role } from '@domain/access';
import { UsersService } from '../users/users.service';

/** What somebody at the door is told. */
export interface EntryDecision {
  workspaceId: string;
  /** Role of the user who was asked for; null when they are no member. */
  role: Role | null;
}

/** Reads of the workspace record for those who change it. Inside this library only. */
@Injectable()
export class WorkspaceRepository {
  constructor(
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly users: UsersService,
  ) {}

  /** @throws NOT_FOUND for a workspace that does not exist, or no longer */
  async read(workspaceId: string): Promise<WorkspaceRecord> {
    const _id = parseId(workspaceId);
    const record = _id && (await this.workspaces.findOne({ _id, deletedAt: null }).lean());
    if (!record) throw notFound('Workspace');
    return record;
  }

  /**
   * The workspace, claimed for the running transaction: another transaction that claims it conflicts and is run again.
   * So what is decided from the members, the caps or a count is still true when it is written.
   * @throws NOT_FOUND for a workspace that does not exist, or no longer
   */
  async claim(workspaceId: string): Promise<WorkspaceRecord> {
    const record = await this.tryClaim(workspaceId);
    if (!record) throw notFound('Workspace');
    return record;
  }

  /** `claim` that answers null instead of throwing. */
  async tryClaim(workspaceId: string): Promise<WorkspaceRecord | null> {
    const _id = parseId(workspaceId);
    if (!_id) return null;
    return this.workspaces
      .findOneAndUpdate({ _id, deletedAt: null }, { $inc: { revision: 1 } }, { returnDocument: 'after' })
      .lean();
  }

  /** null when there is no such workspace, or no longer. */
  async membership(workspaceId: string, userId: string | null): Promise<EntryDecision | null> {
    const _id = parseId(workspaceId);
    if (!_id) return null;
    const user = userId === null ? null : parseId(userId);
    const wanted = { _id: 1, ...(user ? { members: { $elemMatch: { userId: user } } } : {}) };
    const found = await this.workspaces
      .findOne({ _id, deletedAt: null }, wanted)
      .lean<Pick<WorkspaceRecord, '_id' | 'members'>>();
    if (!found) return null;
    return { workspaceId: found._id.toHexString(), role: (user && found.members?.[0]?.role) ?? null };
  }

  /** Whether the workspace keeps what is stored in it: it is there, or deleted and may be restored. */
  async isMember(workspaceId: string): Promise<boolean> {
    const _id = parseId(workspaceId);
    return _id !== null && (await this.workspaces.exists({ _id, purgeStartedAt: null })) !== null;
  }

  /** Those of the workspaces that have not been deleted; for work that goes on by itself in many workspaces. */
  async alive(workspaceIds: readonly string[]): Promise<ReadonlySet<string>> {
    const ids = workspaceIds.map(parseId).filter((id) => id !== null);
    const found = await this.workspaces
      .find({ _id: { $in: ids }, deletedAt: null }, { _id: 1 })
      .lean<Pick<WorkspaceRecord, '_id'>[]>();
    return new Set(found.map(({ _id }) => _id.toHexString()));
  }

  /** Users who can no longer enter their default workspace get the one they have been in longest, or none. */
  async replaceDefault(workspaceId: string, userIds: readonly string[]): Promise<void> {
    const losers = await this.users.withDefaultWorkspace(workspaceId, userIds);
    if (losers.length === 0) return;
    for (const [other, ids] of await this.#othersOf(workspaceId, losers)) {
      // Claimed, so that it cannot be deleted, or left by one of them, at the same time.
      const isThere = other !== null && (await this.tryClaim(other)) !== null;
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
