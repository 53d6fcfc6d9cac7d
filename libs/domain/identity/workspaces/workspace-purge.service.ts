import { Injectable } from '@nestjs/common';
import { InjectConnection, InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { Config } from '@platform/config';
import { parseId, tenantCollections } from '@platform/database';
import { LogService } from '@platform/observability';
import { type Sweep } from '@platform/queues';
import { type Connection, type Model, type Types } from 'mongoose';
import { WorkspaceRecord } from './schemas/workspace.record';
import { WorkspacePurgeQueue } from './workspace-purge.queue';

const DAY_MS = 86_400_000;
const BATCH = 1_000;
/** By how much the clocks of two machines may differ before a job that comes early is sent away. */
const CLOCK_TOLERANCE_MS = 60_000;

/** Erasing what a deleted workspace leaves behind. */
@Injectable()
export class WorkspacePurgeService implements Sweep {
  readonly name = 'workspace-purge';

  constructor(
    @InjectConnection() private readonly connection: Connection,
    @InjectModel(WorkspaceRecord.name) private readonly workspaces: Model<WorkspaceRecord>,
    private readonly queue: WorkspacePurgeQueue,
    private readonly clock: ClockPort,
    private readonly config: Config,
    private readonly log: LogService,
  ) {}

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
      if (deletedAt && (await this.queue.planIfMissing(_id.toHexString(), deletedAt))) created += 1;
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
