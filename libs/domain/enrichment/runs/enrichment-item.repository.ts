import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { unavailable } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { EnrichmentItemRecord } from '../schemas/enrichment-item.record';
import { EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { StagedItemsRecord } from '../schemas/staged-items.record';

/** Claimed items with the token of their claim. */
export interface Claim {
  readonly claim: Types.ObjectId;
  readonly items: readonly EnrichmentItemRecord[];
}

/** Lower bound of the index of due items. */
const FIRST = new Date(1);

/** Number of items that are written or deleted at once. */
const BATCH = 1_000;

/** Longest time for staging the items of one job (milliseconds): a process that takes longer has crashed. */
export const MAX_STAGING_MS = 600_000;

/** An address of a new job. */
export interface EnrichmentItemInput {
  readonly email: string;
  readonly address: string;
  readonly leadId: Types.ObjectId | null;
}

/** Items of jobs: staged before their job exists, then claimed by workers. Workers may share a job; an item has one claim at a time. */
@Injectable()
export class EnrichmentItemRepository {
  constructor(
    @InjectModel(EnrichmentJobRecord.name) private readonly jobs: Model<EnrichmentJobRecord>,
    @InjectModel(EnrichmentItemRecord.name) private readonly items: Model<EnrichmentItemRecord>,
    @InjectModel(StagedItemsRecord.name) private readonly staged: Model<StagedItemsRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** The job of the workspace with a due item that was served longest ago; null without one. */
  async findNextJob(workspaceId: string): Promise<EnrichmentJobRecord | null> {
    const now = this.clock.now();
    return this.jobs
      .findOne({ workspaceId, open: true, nextAt: { $lte: now }, expiresAt: { $gt: now } })
      .sort({ servedAt: 1, _id: 1 })
      .lean<EnrichmentJobRecord>();
  }

  /** The time at which the next job of the workspace has a due item, or an earlier time; null without an open job. */
  async getNextRunAt(workspaceId: string): Promise<Date | null> {
    const next = await this.jobs
      .findOne({ workspaceId, open: true, expiresAt: { $gt: this.clock.now() } }, { nextAt: 1 })
      .sort({ nextAt: 1 })
      .lean<Pick<EnrichmentJobRecord, 'nextAt'>>();
    return next?.nextAt ?? null;
  }

  /**
   * Claims up to `most` due items of a job for `leaseMs` milliseconds; after that they are due again. Returns none when
   * other workers were faster or nothing is due.
   */
  async claim(job: EnrichmentJobRecord, most: number, leaseMs: number): Promise<Claim> {
    const { workspaceId, _id: jobId } = job;
    const now = this.clock.now();
    await this.#serve(job, now);
    const due = { workspaceId, jobId, dueAt: { $gte: FIRST, $lte: now } };
    const found = await this.items.find(due, { _id: 1 }).sort({ dueAt: 1, _id: 1 }).limit(most).lean();
    const claim = new Types.ObjectId();
    const ids = found.map(({ _id }) => _id);
    if (ids.length > 0) {
      await this.items.updateMany(
        { ...due, _id: { $in: ids } },
        { $set: { claim, dueAt: this.clock.in(leaseMs) }, $inc: { claims: 1 } },
      );
    }
    const items = await this.items
      .find({ workspaceId, jobId, _id: { $in: ids }, claim })
      .sort({ _id: 1 })
      .lean<EnrichmentItemRecord[]>();
    if (ids.length < most) await this.#replan(job);
    return { claim, items };
  }

  /** Releases claimed items: they are due at once. */
  async release({ workspaceId, _id: jobId }: EnrichmentJobRecord, { claim, items }: Claim): Promise<void> {
    const _id = { $in: items.map((item) => item._id) };
    const now = this.clock.now();
    const back = { $set: { dueAt: now }, $unset: { claim: 1 }, $inc: { claims: -1 } };
    await this.items.updateMany({ workspaceId, jobId, _id, open: true, claim }, back);
    await this.jobs.updateOne(
      { _id: jobId, workspaceId, open: true },
      { $min: { nextAt: now }, $inc: { revision: 1 } },
    );
  }

  /** Postpones the job, unless its items have changed since it was read. */
  async postpone({ _id, workspaceId, revision }: EnrichmentJobRecord, until: Date): Promise<void> {
    await this.jobs.updateOne({ _id, workspaceId, open: true, revision }, { $set: { nextAt: until } });
  }

  /** Stages the items of a new job; `attachToJob` or `abandon` must follow. */
  async stage(workspaceId: string, jobId: Types.ObjectId, all: readonly EnrichmentItemInput[]): Promise<void> {
    const createdAt = this.clock.now();
    await this.staged.create({ _id: jobId, workspaceId, abandoned: false, createdAt });
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

  /**
   * Attaches the staged items to their job, in its transaction. @throws SERVICE_UNAVAILABLE when the items were removed
   * meanwhile
   */
  async attachToJob(workspaceId: string, jobId: Types.ObjectId): Promise<void> {
    const { deletedCount } = await this.staged.deleteOne({ _id: jobId, workspaceId, abandoned: false });
    if (deletedCount !== 1) throw unavailable('Creating this job took too long; try again');
  }

  /** Removes staged items without a job. Without effect on items that have one. */
  async abandon(workspaceId: string, jobId: Types.ObjectId): Promise<void> {
    const { matchedCount } = await this.staged.updateOne({ _id: jobId, workspaceId }, { $set: { abandoned: true } });
    if (matchedCount === 1) await this.#deleteItems({ _id: jobId, workspaceId: new Types.ObjectId(workspaceId) });
  }

  /** Marks the items of a deleted job for `removeStaged`, in the transaction of the deletion. */
  async detach(workspaceId: string, jobId: Types.ObjectId): Promise<void> {
    await this.staged.create({ _id: jobId, workspaceId, abandoned: true, createdAt: this.clock.now() });
  }

  /**
   * Deletes the items of deleted jobs and of jobs that were never created, in all workspaces. The next run continues
   * after an interruption.
   */
  async removeStaged(signal: AbortSignal): Promise<void> {
    const overdue = this.clock.in(-MAX_STAGING_MS);
    const found = this.staged
      .find({ $or: [{ abandoned: true }, { createdAt: { $lte: overdue } }] })
      .setOptions({ allWorkspaces: 'the worker deletes abandoned items of all workspaces' })
      .sort({ createdAt: 1 })
      .lean<StagedItemsRecord[]>()
      .cursor();
    for await (const record of found as AsyncIterable<StagedItemsRecord>) {
      signal.throwIfAborted();
      const { _id, workspaceId } = record;
      // From now on no job can attach these items.
      const { matchedCount } = await this.staged.updateOne({ _id, workspaceId }, { $set: { abandoned: true } });
      if (matchedCount === 1) await this.#deleteItems(record, signal);
    }
  }

  /** Records the time of the run: other jobs of the workspace come first the next time. */
  async #serve({ _id, workspaceId, startedAt }: EnrichmentJobRecord, now: Date): Promise<void> {
    const first = startedAt === null ? { status: 'processing' as const, startedAt: now } : {};
    const unstarted = startedAt === null ? { startedAt: null } : {};
    await this.jobs.updateOne({ _id, workspaceId, open: true, ...unstarted }, { $set: { servedAt: now, ...first } });
  }

  /** Sets the next run of the job to its next due item, unless its items have changed since it was read. */
  async #replan({ _id, workspaceId, revision }: EnrichmentJobRecord): Promise<void> {
    const next = await this.items
      .findOne({ workspaceId, jobId: _id, dueAt: { $gte: FIRST } }, { dueAt: 1 })
      .sort({ dueAt: 1, _id: 1 })
      .lean<Pick<EnrichmentItemRecord, 'dueAt'>>();
    if (next?.dueAt) {
      await this.jobs.updateOne({ _id, workspaceId, open: true, revision }, { $set: { nextAt: next.dueAt } });
    }
  }

  async #deleteItems(
    { _id: jobId, workspaceId }: Pick<StagedItemsRecord, '_id' | 'workspaceId'>,
    signal?: AbortSignal,
  ): Promise<void> {
    for (;;) {
      signal?.throwIfAborted();
      const batch = await this.items.find({ workspaceId, jobId }, { _id: 1 }).limit(BATCH).lean();
      if (batch.length === 0) break;
      await this.items.deleteMany({ workspaceId, jobId, _id: { $in: batch.map(({ _id }) => _id) } });
    }
    await this.staged.deleteOne({ _id: jobId, workspaceId });
  }
}
