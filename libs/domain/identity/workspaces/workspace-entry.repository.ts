import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Role } from '@domain/access';
import { parseId } from '@platform/database';
import { type Model } from 'mongoose';
import { WorkspaceRecord } from './schemas/workspace.record';

/** What somebody at the door is told. */
export interface EntryDecision {
  workspaceId: string;
  /** Role of the user who was asked for; null when they are no member. */
  role: Role | null;
}

/** The door of a workspace: asked by every request, so it reads one document by its id and little of it. */
@Injectable()
export class WorkspaceEntryRepository {
  constructor(@InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>) {}

  /** null when there is no such workspace, or no longer. */
  async standing(workspaceId: string, userId: string | null): Promise<EntryDecision | null> {
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
}
