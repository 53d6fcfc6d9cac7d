import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService, parseId, tenantCollections } from '@platform/database';
import { conflict, forbidden, notFound } from '@platform/errors';
import { type Connection, type Model, type Types } from 'mongoose';
import { type MessageResponse, type WorkspaceResponse, toWorkspace } from './dto/workspace.dto';
import { getCurrentRole, getDecidingRole } from './member-rules';
import { WorkspaceRecord, getMemberIds } from './schemas/workspace.record';
import { WorkspaceRepository } from './workspace.repository';
import { WorkspacePurgeQueue } from './workspace-purge.queue';
import { UsersService } from '../users/users.service';
import { Config } from '@platform/config';
import { requireRoomToOwn } from './workspace-limits.service';
import { LogService } from '@platform/observability';
import { type Sweep } from '@platform/queues';

const DAY_MS = 86_400_000;

const BATCH = 1_000;

/** Tolerated clock difference between two machines; a job that starts earlier than that is rejected. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Deletes, restores and, after the retention time, purges workspaces. */
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
   * Deletes the workspace: it disappears and its keys stop working at once. Its data are purged after the retention
   * time.
   * @throws NOT_FOUND, FORBIDDEN unless the caller is the owner, SERVICE_UNAVAILABLE while Redis is down (nothing is
   * changed then)
   */
  async delete(workspace: WorkspaceScope): Promise<MessageResponse> {
    const { workspaceId } = workspace;
    await this.purges.ensureReachable();
    const deletedAt = await this.transactions.run(async () => {
      const record = await this.claims.claim(workspaceId);
      if (getDecidingRole(getCurrentRole(workspace, record.members)) !== 'owner')
        throw forbidden('Only the owner may delete the workspace');
      const now = this.clock.now();
      await this.workspaces.updateOne({ _id: record._id }, { $set: { deletedAt: now } });
      await this.claims.replaceDefault(workspaceId, getMemberIds(record));
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
   * Restores a deleted workspace with its keys, for the operator, as long as its purge has not begun.
   * @throws NOT_FOUND, CONFLICT unless the workspace is deleted and not being purged, LIMIT_EXCEEDED when its owner
   * already owns as many workspaces as a user may
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
      await this.claims.setWhereNone(workspaceId, getMemberIds(record));
      await this.audit.record(workspace, {
        action: 'workspace.restored',
        target: { type: 'workspace', id: workspaceId },
      });
      return toWorkspace(record);
    });
  }

  /**
   * Erases all records of a workspace whose retention time is over, the workspace itself last: if it is interrupted,
   * the next run continues. Does nothing for a workspace that is erased, alive or not due.
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

  /** Enqueues the purge of each deleted workspace that has no job: Redis may have been emptied. */
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
