import { type CrmError } from '@adapters/crm';
import { systemScope } from '@domain/access';
import { EventsService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { writeConflict, TransactionService } from '@platform/database';
import { MetricsService } from '@platform/observability';
import { type Model, Types } from 'mongoose';
import { CrmConnectionRepository } from '../connections/crm-connection.repository';
import { CrmSyncJobRecord, type SyncProblem, type SyncError, SYNC_RESULTS } from '../jobs/schemas/crm-sync-job.record';
import { MAX_ERRORS } from '../jobs/dto/crm-sync-job.dto';
import { CrmSyncResultRecord } from '../jobs/schemas/crm-sync-result.record';
import { type CrmWorkContext } from '../work-partitions/crm-work-handler.registry';
import { type SyncOutcome } from './sync-outcome';
import { SyncSupersededError } from './sync-superseded.errors';
import { listFields, withoutDropped } from './rule-values';

/** Where a job is now. What is left out stays as it is. */
export type SyncPlace = Partial<
  Pick<CrmSyncJobRecord, 'cursor' | 'batchDone' | 'walked' | 'totalRecords' | 'droppedFields' | 'restarts'>
>;

/** Times that a job begins anew, as the CRM forgot how far it was. */
export const MAX_RESTARTS = 3;

/** How syncs end: once. */
@Injectable()
export class CrmSyncJobRepository {
  constructor(
    @InjectModel(CrmSyncJobRecord.name) private readonly jobs: Model<CrmSyncJobRecord>,
    private readonly connections: CrmConnectionRepository,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly metrics: MetricsService,
    @InjectModel(CrmSyncResultRecord.name) private readonly results: Model<CrmSyncResultRecord>,
  ) {}

  /** All its people are done; in the transaction that found out. */
  async complete(job: CrmSyncJobRecord): Promise<void> {
    const after = await this.#end(job, { status: 'completed', totalRecords: job.processedRecords });
    const { _id, crmType, jobType, dryRun, counts, processedRecords, campaignId } = after;
    const workspaceId = job.workspaceId.toHexString();
    await this.events.record(systemScope(workspaceId), {
      type: 'crm.sync_completed',
      dedupeKey: `crm.sync_completed:${_id.toHexString()}`,
      about: campaignId ? { campaignId: campaignId.toHexString() } : {},
      data: {
        jobId: _id.toHexString(),
        crmType,
        jobType,
        dryRun,
        totalRecords: processedRecords,
        created: counts.created,
        updated: counts.updated,
        unchanged: counts.unchanged,
        conflicts: counts.conflict,
        skipped: counts.skipped,
        failed: counts.failed,
      },
    });
    if (!dryRun) await this.connections.markSynced(workspaceId, crmType, this.clock.now());
  }

  /** It cannot go on; who was synced stays so. Without effect on one that is over. Joins a running transaction. */
  async fail({ _id, workspaceId }: Pick<CrmSyncJobRecord, '_id' | 'workspaceId'>, problem: SyncProblem): Promise<void> {
    await this.transactions.run(async () => {
      const job = await this.jobs.findOne({ _id, workspaceId, open: true }).lean<CrmSyncJobRecord>();
      if (job) await this.#end(job, { status: 'failed', problem });
    });
  }

  /** In a transaction that has read it as open. */
  async cancel(job: CrmSyncJobRecord): Promise<CrmSyncJobRecord> {
    return this.#end(job, { status: 'cancelled' });
  }

  /**
   * In a transaction. Counts outcomes and moves the job on; with the last person it is completed.
   * @param isDone whether nobody of this job is waited for, asked when all were gone through
   * @returns the job as it is then
   * @throws CrmLaneLost, SyncOutdated
   */
  async writeProgress(
    context: CrmWorkContext,
    job: CrmSyncJobRecord,
    outcomes: readonly SyncOutcome[],
    place: SyncPlace,
    isDone: () => Promise<boolean> = () => Promise.resolve(true),
  ): Promise<CrmSyncJobRecord> {
    await context.requireLease();
    const after = await this.#count(job, outcomes, place);
    await this.#saveResults(after, outcomes);
    const changed = outcomes.filter(({ result }) => result === 'created' || result === 'updated').length;
    if (!job.dryRun) {
      const by = job.jobType === 'pull' ? { pulled: changed } : { pushed: changed };
      await this.connections.addTotals(context.workspaceId, context.type, by);
    }
    if (after.walked && (await isDone())) await this.complete(after);
    return after;
  }

  /** In a transaction: the job is as it was read, and the lane is held. @throws CrmLaneLost, SyncOutdated */
  async requireCurrent(context: CrmWorkContext, { _id, workspaceId, revision }: CrmSyncJobRecord): Promise<void> {
    await context.requireLease();
    if (!(await this.jobs.exists({ _id, workspaceId, open: true, revision }))) throw new SyncSupersededError();
  }

  /**
   * Goes on without fields that are no more, and from the beginning where the place is lost: who was synced is `unchanged` then.
   * Anything else ends the job, with what the CRM said.
   * @throws CrmError of the question which fields there are
   */
  async repair(context: CrmWorkContext, job: CrmSyncJobRecord, error: CrmError): Promise<void> {
    const place = await this.#decideRepair(context, job, error);
    if (place) await this.transactions.run(() => this.writeProgress(context, job, [], place));
    else await this.fail(job, { code: error.code, message: error.message });
  }

  /** What it still waited for is waited for no more: whoever syncs these people next looks at the CRM first. */
  async #end(
    job: CrmSyncJobRecord,
    ended: Partial<CrmSyncJobRecord> & Pick<CrmSyncJobRecord, 'status'>,
  ): Promise<CrmSyncJobRecord> {
    const { _id, workspaceId } = job;
    const completedAt = this.clock.now();
    const after = await this.jobs
      .findOneAndUpdate(
        { _id, workspaceId, open: true },
        { $set: { ...ended, open: false, delay: null, batchDone: [], completedAt }, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      )
      .lean<CrmSyncJobRecord>();
    if (!after) throw writeConflict('The sync');
    const labels = { crm: after.crmType, outcome: after.status };
    this.transactions.countOnce(() => this.metrics.crmSyncs.inc(labels));
    return after;
  }

  async #count(job: CrmSyncJobRecord, outcomes: readonly SyncOutcome[], place: SyncPlace): Promise<CrmSyncJobRecord> {
    const { _id, workspaceId, revision } = job;
    const now = this.clock.now();
    const counts = SYNC_RESULTS.map(
      (result) => [result, outcomes.filter((one) => one.result === result).length] as const,
    );
    const failed = outcomes.flatMap(toSyncErrors);
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

  async #saveResults(
    { _id: jobId, workspaceId, dryRun }: CrmSyncJobRecord,
    outcomes: readonly SyncOutcome[],
  ): Promise<void> {
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

  /** Null when nothing can be done about it. */
  async #decideRepair(
    context: CrmWorkContext,
    job: CrmSyncJobRecord,
    { reason, field }: CrmError,
  ): Promise<SyncPlace | null> {
    if (reason === 'cursor' && job.cursor !== null && job.restarts < MAX_RESTARTS) {
      return { cursor: null, batchDone: [], restarts: job.restarts + 1 };
    }
    if (reason !== 'unknown_field') return null;
    const { mapping, session } = context.crm;
    const asked = listFields(withoutDropped(mapping, job.droppedFields), job.jobType);
    const there = field !== null && asked.includes(field) ? null : await session.fields(context.signal);
    const names = new Set(there?.map(({ name }) => name));
    const missing = there ? asked.filter((name) => !names.has(name)) : [field ?? ''];
    return missing.length === 0 ? null : { droppedFields: [...job.droppedFields, ...missing] };
  }
}

function toSyncErrors({ result, email, externalId, reason, message }: SyncOutcome): SyncError[] {
  return result === 'failed' ? [{ email, externalId, code: reason || 'other', message }] : [];
}
