import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model } from 'mongoose';
import { WarmupRecord } from '../../schemas/warmup.record';

/** Warmups that are read at once. */
const BATCH = 100;
/** The first moment that the index of what is to be done holds. */
const FIRST = new Date(1);
/** One that failed is tried again after so long. */
const AFTER_A_FAULT_MS = 600_000;

/** A warmup that the worker has something to do for. */
export type DueWarmup = Pick<WarmupRecord, '_id' | 'workspaceId'> & { readonly nextAt: Date };

/** The warmups whose time has come. */
@Injectable()
export class DueWarmupsService {
  constructor(
    @InjectModel(WarmupRecord.name) private readonly warmups: Model<WarmupRecord>,
    private readonly clock: ClockPort,
  ) {}

  /** All of them, of all workspaces, those due for longest first, read in pages; each once, whether or not it is dealt with. */
  async *listDue(signal: AbortSignal): AsyncGenerator<DueWarmup> {
    const now = this.clock.now();
    let last: DueWarmup | undefined;
    do {
      const beyond = last ? { $or: [{ nextAt: { $gt: last.nextAt } }, { _id: { $gt: last._id } }] } : {};
      const page: DueWarmup[] = await this.warmups
        .find({ nextAt: { $gte: last?.nextAt ?? FIRST, $lte: now }, ...beyond }, { workspaceId: 1, nextAt: 1 })
        .setOptions({ allWorkspaces: 'the worker plans the warmup of all workspaces' })
        .sort({ nextAt: 1, _id: 1 })
        .limit(BATCH)
        .lean<DueWarmup[]>();
      for (const due of page) {
        if (signal.aborted) return;
        yield due;
      }
      last = page.length < BATCH ? undefined : page.at(-1);
    } while (last);
  }

  /** Nothing is to be done for it. */
  async release(due: DueWarmup): Promise<void> {
    await this.#setNextAt(due, null);
  }

  /** It failed: it comes again, after others had their time. */
  async postpone(due: DueWarmup): Promise<void> {
    await this.#setNextAt(due, this.clock.in(AFTER_A_FAULT_MS));
  }

  /** Unless somebody else has meanwhile. */
  async #setNextAt({ _id, workspaceId, nextAt: seen }: DueWarmup, nextAt: Date | null): Promise<void> {
    await this.warmups.updateOne({ _id, workspaceId, nextAt: seen }, { $set: { nextAt } });
  }
}
