import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { parseId } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { WorkspaceRecord } from './schemas/workspace.record';

/** Reads of the workspace record for those who change it. Inside this library only. */
@Injectable()
export class WorkspaceRepository {
  constructor(@InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>) {}

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
}
