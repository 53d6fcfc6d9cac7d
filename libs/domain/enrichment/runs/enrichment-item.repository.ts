import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model, Types } from 'mongoose';
import { EnrichmentItemRecord } from '../schemas/enrichment-item.record';
import { EnrichmentJobRecord } from '../schemas/enrichment-job.record';

/** Items that somebody has in hand, and the mark that says so. */
export interface Claim {
  readonly claim: Types.ObjectId;
  readonly items: readonly EnrichmentItemRecord[];
}

/** The first moment that an index of planned items holds. */
const FIRST = new Date(1);

/** Who works on which items. Workers may share a job: no item is in two hands at once. */
@Injectable()
export class EnrichmentItemRepository {
  constructor(
    @InjectModel(EnrichmentJobRecord.name) private readonly jobs: Model<EnrichmentJobRecord>,
    @InjectModel(EnrichmentItemRecord.name) private readonly items: Model<EnrichmentItemRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** The job of the workspace that has something due and waited longest for its turn; null when none has. */
  async nextJob(workspaceId: string): Promise<EnrichmentJobRecord | null> {
    const now = this.clock.now();
    return this.jobs
      .findOne({ workspaceId, open: true, nextAt: { $lte: now }, expiresAt: { $gt: now } })
      .sort({ servedAt: 1, _id: 1 })
      .lean<EnrichmentJobRecord>();
  }

  /** When the next item of any job of the workspace is due, or before; null when none is open. */
  async nextAt(workspaceId: string): Promise<Date | null> {
    const next = await this.jobs
      .findOne({ workspaceId, open: true, expiresAt: { $gt: this.clock.now() } }, { nextAt: 1 })
      .sort({ nextAt: 1 })
      .lean<Pick<EnrichmentJobRecord, 'nextAt'>>();
    return next?.nextAt ?? null;
  }

  /**
   * Takes up to `most` due items of a job in hand, for `leaseMs` milliseconds: after that they are due again. None when others were
   * faster, or when nothing was due.
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

  /** Puts items down as they were: whoever comes next takes them up at once. */
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

  /** Somebody works on it: other jobs of the workspace go before it the next time. */
  async #serve({ _id, workspaceId, startedAt }: EnrichmentJobRecord, now: Date): Promise<void> {
    const first = startedAt === null ? { status: 'processing' as const, startedAt: now } : {};
    const unstarted = startedAt === null ? { startedAt: null } : {};
    await this.jobs.updateOne({ _id, workspaceId, open: true, ...unstarted }, { $set: { servedAt: now, ...first } });
  }

  /** Lets the job alone until then, unless items of it have changed since it was read: then whoever reads it next does. */
  async postpone({ _id, workspaceId, revision }: EnrichmentJobRecord, until: Date): Promise<void> {
    await this.jobs.updateOne({ _id, workspaceId, open: true, revision }, { $set: { nextAt: until } });
  }

  /** Plans the job for when its next item is due, unless items of it have changed since the job was read. */
  async #replan({ _id, workspaceId, revision }: EnrichmentJobRecord): Promise<void> {
    const next = await this.items
      .findOne({ workspaceId, jobId: _id, dueAt: { $gte: FIRST } }, { dueAt: 1 })
      .sort({ dueAt: 1, _id: 1 })
      .lean<Pick<EnrichmentItemRecord, 'dueAt'>>();
    if (next?.dueAt) {
      await this.jobs.updateOne({ _id, workspaceId, open: true, revision }, { $set: { nextAt: next.dueAt } });
    }
  }
}
