import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { LogService } from '@platform/observability';
import { type Model, Types } from 'mongoose';
import { WARMING_STATUSES, WarmupRecord } from '../../schemas/warmup.record';
import { WarmupFindingsService } from './warmup-findings.service';
import { WarmupLookoutService } from './warmup-lookout.service';

const BATCH = 200;
const WORKER = 'the worker looks after the warmup of all workspaces';
const NONE = new Types.ObjectId('0'.repeat(24));

/** Goes through all mailboxes in warmup now and then: what of their mail never arrived, and what has been found of it. */
@Injectable()
export class WarmupMailWatchService {
  constructor(
    @InjectModel(WarmupRecord.name) private readonly warmups: Model<WarmupRecord>,
    private readonly lookout: WarmupLookoutService,
    private readonly findings: WarmupFindingsService,
    private readonly log: LogService,
  ) {}

  /** One that fails holds up no other. */
  async run(signal?: AbortSignal): Promise<void> {
    for (let after = NONE; ;) {
      const page = await this.warmups
        .find({ status: { $in: [...WARMING_STATUSES] }, _id: { $gt: after } }, { workspaceId: 1 })
        .setOptions({ allWorkspaces: WORKER })
        .sort({ _id: 1 })
        .limit(BATCH)
        .lean<Pick<WarmupRecord, '_id' | 'workspaceId'>[]>();
      for (const { _id: mailboxId, workspaceId } of page) {
        signal?.throwIfAborted();
        await this.#watch(workspaceId, mailboxId);
      }
      const last = page.at(-1);
      if (!last || page.length < BATCH) return;
      after = last._id;
    }
  }

  async #watch(workspaceId: Types.ObjectId, mailboxId: Types.ObjectId): Promise<void> {
    try {
      await this.lookout.markMissing({ workspaceId, mailboxId });
      await this.findings.refreshMetrics(workspaceId, mailboxId);
    } catch (error) {
      this.log.error('A warmup cannot be looked after; the next round tries again', error, { mailboxId });
    }
  }
}
