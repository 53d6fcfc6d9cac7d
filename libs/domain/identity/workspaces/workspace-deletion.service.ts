import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService, parseId, tenantCollections } from '@platform/database';
import { conflict, forbidden, notFound } from '@platform/errors';
import { type Connection, type Model, type Types } from 'mongoose';
import { type MessageResponse, type WorkspaceResponse, toWorkspace } from './dto/workspace.dto';
import { currentRole, decidingRole } from './member-rules';
import { WorkspaceRecord, memberIds } from './schemas/workspace.record';
import { WorkspaceRepository } from './workspace.repository';
import { WorkspacePurgeQueue } from './workspace-purge.queue';
import { UsersService } from '../users/users.service';
import { Config } from '@platform/config';
import { requireRoomToOwn } from './workspace-limits.service';
import { LogService } from '@platform/observability';
import { type Sweep } from '@platform/queues';

const DAY_MS = 86_400_000;

const BATCH = 1_000;

/** By how much the clocks of two machines may differ before a job that comes early is sent away. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The end of a workspace: deleted, for a while restorable (WorkspaceDeletionService), then erased (WorkspacePurge). */
@Injectable()
export class WorkspaceDeletionService implements Sweep {
  readonly name = 'workspace-purge';
  constructor(
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly claims: WorkspaceRepository,
    private readonly purges: WorkspacePurgeQueue,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly users: UsersService,
    private readonly config: Config,
    @InjectConnection() private readonly connection: Connection,
    private readonly log: LogService,
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
      await this.claims.replaceDefault(workspaceId, memberIds(record));
      await this.audit.record(workspace, {
        action: 'workspace.deleted',
        target: { type: 'workspace', id: workspaceId },
      });
      return now;
    });
    await this.purges.plan(workspaceId, deletedAt);
    return { message: 'Workspace deleted' };
  }

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
      await this.claims.setWhereNone(workspaceId, memberIds(record));
      await this.audit.record(workspace, {
        action: 'workspace.restored',
        target: { type: 'workspace', id: workspaceId },
      });
      return toWorkspace(record);
    });
  }

  /**
   * Erases every record of a workspace whose retention time is over, the workspace itself last: interrupted anywhere, the
   * next run goes on where this one stopped. Does nothing for a workspace that is gone, alive or not due.
   */
  async purge(workspaceId: string, signal?: AbortSignal): Promise<void> {
    const _id = parseId(workspaceId);
    if (!_id || !(await this.#begin(_id))) return;
    let erased = 0;
    for (const records of tenantCollections(this.connection.models)) {
      erased += await eraseAll(records, _id, signal);
    }
    await this.workspaces.deleteOne({ _id, purgeStartedAt: { $ne: null } });
    this.log.info('Workspace purged', { workspaceId, erased });
  }

  /** Gives every deleted workspace that has no job its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    const deleted = this.workspaces
      .find({ deletedAt: { $gt: new Date(0) } }, { deletedAt: 1 })
      .lean()
      .cursor();
    for await (const { _id, deletedAt } of deleted) {
      if (deletedAt && (await this.purges.planIfMissing(_id.toHexString(), deletedAt))) created += 1;
    }
    return created;
  }

  /** From here on the workspace cannot be restored. */
  async #begin(_id: Types.ObjectId): Promise<boolean> {
    const now = this.clock.now();
    const retentionMs = this.config.workspaceRetentionDays * DAY_MS;
    const latest = new Date(now.getTime() - retentionMs + CLOCK_TOLERANCE_MS);
    const { matchedCount } = await this.workspaces.updateOne(
      { _id, deletedAt: { $lte: latest } },
      { $set: { purgeStartedAt: now } },
    );
    return matchedCount === 1;
  }
}

async function eraseAll(
  records: Model<unknown>,
  workspaceId: Types.ObjectId,
  signal: AbortSignal | undefined,
): Promise<number> {
  let erased = 0;
  for (;;) {
    signal?.throwIfAborted();
    const batch = await records.find({ workspaceId }, { _id: 1 }).limit(BATCH).lean<{ _id: unknown }[]>();
    if (batch.length === 0) return erased;
    const { deletedCount } = await records.deleteMany({
      workspaceId,
      _id: { $in: batch.map(({ _id }) => _id) },
    } as never);
    erased += deletedCount;
  }
}
