import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { unavailable } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { EnrichmentItemRecord } from '../schemas/enrichment-item.record';
import { StagedItemsRecord } from '../schemas/staged-items.record';

/** Items that are written or removed at once. */
const BATCH = 1_000;
/** Nobody writes items of one job for so long: whoever began has died. */
export const FILLING_AT_MOST_MS = 600_000;

/** An address of a job that is being made. */
export interface NewItem {
  readonly email: string;
  readonly address: string;
  readonly leadId: Types.ObjectId | null;
}

/**
 * Items without a job. Tens of thousands do not fit into one transaction: they are written before their job, which makes them its own,
 * and removed after it. Whatever is interrupted in between is found here.
 */
@Injectable()
export class LooseItemsRepository {
  constructor(
    @InjectModel(StagedItemsRecord.name) private readonly loose: Model<StagedItemsRecord>,
    @InjectModel(EnrichmentItemRecord.name) private readonly items: Model<EnrichmentItemRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** Writes the items of a job that is to come: `adopt` or `abandon` has to follow. */
  async write(workspaceId: string, jobId: Types.ObjectId, all: readonly NewItem[]): Promise<void> {
    const createdAt = this.clock.now();
    await this.loose.create({ _id: jobId, workspaceId, abandoned: false, createdAt });
    const workspace = new Types.ObjectId(workspaceId);
    for (let start = 0; start < all.length; start += BATCH) {
      const batch = all.slice(start, start + BATCH).map(({ email, address, leadId }) => ({
        _id: new Types.ObjectId(),
        workspaceId: workspace,
        jobId,
        email,
        address,
        leadId,
        open: true,
        dueAt: createdAt,
        claims: 0,
        attempts: 0,
        reasons: [],
        charged: false,
        detail: '{}',
        checkedAt: null,
        createdAt,
      }));
      await this.items.insertMany(batch, { lean: true });
    }
  }

  /** The items have their job, in its transaction. @throws SERVICE_UNAVAILABLE when they were cleared away meanwhile */
  async attachToJob(workspaceId: string, jobId: Types.ObjectId): Promise<void> {
    const { deletedCount } = await this.loose.deleteOne({ _id: jobId, workspaceId, abandoned: false });
    if (deletedCount !== 1) throw unavailable('Making this job took too long; try again');
  }

  /** There will be no job. Without effect on items that have one. */
  async abandon(workspaceId: string, jobId: Types.ObjectId): Promise<void> {
    const { matchedCount } = await this.loose.updateOne({ _id: jobId, workspaceId }, { $set: { abandoned: true } });
    if (matchedCount === 1) await this.#remove({ _id: jobId, workspaceId: new Types.ObjectId(workspaceId) });
  }

  /** The job is gone, in the transaction that deletes it; `clear` removes its items. */
  async detach(workspaceId: string, jobId: Types.ObjectId): Promise<void> {
    await this.loose.create({ _id: jobId, workspaceId, abandoned: true, createdAt: this.clock.now() });
  }

  /** Removes the items whose job is gone or never came, of all workspaces. What is interrupted goes on the next time. */
  async clear(signal: AbortSignal): Promise<void> {
    const overdue = this.clock.in(-FILLING_AT_MOST_MS);
    const found = this.loose
      .find({ $or: [{ abandoned: true }, { createdAt: { $lte: overdue } }] })
      .setOptions({ allWorkspaces: 'the worker clears up after the jobs of all workspaces' })
      .sort({ createdAt: 1 })
      .lean<StagedItemsRecord[]>()
      .cursor();
    for await (const record of found as AsyncIterable<StagedItemsRecord>) {
      signal.throwIfAborted();
      const { _id, workspaceId } = record;
      // From then on no job can make them its own.
      const { matchedCount } = await this.loose.updateOne({ _id, workspaceId }, { $set: { abandoned: true } });
      if (matchedCount === 1) await this.#remove(record, signal);
    }
  }

  async #remove(
    { _id: jobId, workspaceId }: Pick<StagedItemsRecord, '_id' | 'workspaceId'>,
    signal?: AbortSignal,
  ): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const batch = await this.items.find({ workspaceId, jobId }, { _id: 1 }).limit(BATCH).lean();
      if (batch.length === 0) break;
      await this.items.deleteMany({ workspaceId, jobId, _id: { $in: batch.map(({ _id }) => _id) } });
    }
    await this.loose.deleteOne({ _id: jobId, workspaceId });
  }
}
