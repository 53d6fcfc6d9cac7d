import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model, Types } from 'mongoose';
import { CrmConnectionRepository } from '../connections/crm-connection.repository';
import { MAX_ERRORS } from '../jobs/dto/crm-sync-job.dto';
import { CrmSyncJobRecord, type SyncError, SYNC_RESULTS } from '../jobs/schemas/crm-sync-job.record';
import { CrmSyncResultRecord } from '../jobs/schemas/crm-sync-result.record';
import { type CrmWorkContext } from '../work-partitions/crm-work-handler.registry';
import { CrmSyncJobRepository } from './crm-sync-job.repository';
import { type SyncOutcome } from './sync-outcome';
import { SyncSupersededError } from './sync-superseded.errors';

/** Where a job is now. What is left out stays as it is. */
export type SyncPlace = Partial<
  Pick<CrmSyncJobRecord, 'cursor' | 'batchDone' | 'walked' | 'totalRecords' | 'droppedFields' | 'restarts'>
>;

/** Writes how far a sync has come, together with what it did: in the transaction of that, while the lane is held. */
@Injectable()
export class SyncWritesRepository {
  constructor(
    @InjectModel(CrmSyncJobRecord.name) private readonly jobs: Model<CrmSyncJobRecord>,
    @InjectModel(CrmSyncResultRecord.name) private readonly results: Model<CrmSyncResultRecord>,
    private readonly connections: CrmConnectionRepository,
    private readonly ends: CrmSyncJobRepository,
    private readonly clock: ClockPort,
  ) {}

  /**
   * In a transaction. Counts outcomes and moves the job on; with the last person it is completed.
   * @param isDone whether nobody of this job is waited for, asked when all were gone through
   * @returns the job as it is then
   * @throws CrmLaneLost, SyncOutdated
   */
  async write(
    lane: CrmWorkContext,
    job: CrmSyncJobRecord,
    outcomes: readonly SyncOutcome[],
    place: SyncPlace,
    isDone: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<CrmSyncJobRecord> {
    await lane.hold();
    const after = await this.#count(job, outcomes, place);
    await this.#keep(after, outcomes);
    const changed = outcomes.filter(({ result }) => result === 'created' || result === 'updated').length;
    if (!job.dryRun) {
      const by = job.jobType === 'pull' ? { pulled: changed } : { pushed: changed };
      await this.connections.count(lane.workspaceId, lane.type, by);
    }
    if (after.walked && (await isDone())) await this.ends.complete(after);
    return after;
  }

  /** In a transaction: the job is as it was read, and the lane is held. @throws CrmLaneLost, SyncOutdated */
  async require(lane: CrmWorkContext, { _id, workspaceId, revision }: CrmSyncJobRecord): Promise<void> {
    await lane.hold();
    if (!(await this.jobs.exists({ _id, workspaceId, open: true, revision }))) throw new SyncSupersededError();
  }

  async #count(job: CrmSyncJobRecord, outcomes: readonly SyncOutcome[], place: SyncPlace): Promise<CrmSyncJobRecord> {
    const { _id, workspaceId, revision } = job;
    const now = this.clock.now();
    const counts = SYNC_RESULTS.map(
      (result) => [result, outcomes.filter((one) => one.result === result).length] as const,
    );
    const failed = outcomes.flatMap(errorOf);
    const processed = job.processedRecords + outcomes.length;
    const after = await this.jobs
      .findOneAndUpdate(
        { _id, workspaceId, open: true, revision },
        {
          $set: {
            ...place,
            // Those who came while it was on its way are people, too.
            totalRecords: Math.max(place.totalRecords ?? job.totalRecords, processed),
            delay: null,
            progressAt: now,
            ...(failed.length > 0 && { faults: [...job.faults, ...failed].slice(0, MAX_ERRORS) }),
          },
          $inc: {
            ...Object.fromEntries(counts.map(([result, count]) => [`counts.${result}`, count])),
            processedRecords: outcomes.length,
            failedCount: failed.length,
            revision: 1,
          },
        },
        { returnDocument: 'after' },
      )
      .lean<CrmSyncJobRecord>();
    if (!after) throw new SyncSupersededError();
    return after;
  }

  async #keep({ _id: jobId, workspaceId, dryRun }: CrmSyncJobRecord, outcomes: readonly SyncOutcome[]): Promise<void> {
    if (outcomes.length === 0) return;
    const createdAt = this.clock.now();
    const records = outcomes.map(({ changes, ...outcome }) => ({
      _id: new Types.ObjectId(),
      workspaceId,
      jobId,
      ...outcome,
      changes: dryRun && changes ? JSON.stringify(changes) : '',
      createdAt,
    }));
    // As they are, without a document class for each: Mongoose would take thirty times as long.
    await this.results.insertMany(records, { lean: true });
  }
}

function errorOf({ result, email, externalId, reason, message }: SyncOutcome): SyncError[] {
  return result === 'failed' ? [{ email, externalId, code: reason || 'other', message }] : [];
}
