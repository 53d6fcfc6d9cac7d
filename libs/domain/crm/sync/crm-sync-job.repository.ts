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
import { type CrmWorkContext } from '../work-partitions/crm-work-handler';
import { type SyncOutcome } from './sync-outcome';
import { SyncSupersededError } from './sync-superseded.errors';
import { listFields, withoutDropped } from './rule-values';

/** Where a job is now. Omitted fields stay as they are. */
export type SyncPlace = Partial<
  Pick<CrmSyncJobRecord, 'cursor' | 'batchDone' | 'walked' | 'totalRecords' | 'droppedFields' | 'restarts'>
>;

/** Maximum restarts after the CRM lost the cursor. */
export const MAX_RESTARTS = 3;

/** Progress, results and the end of sync jobs. */
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

  /** Completes the job in the transaction of its last person. */
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

  /** Fails the job; completed changes stay. No effect on an ended one. Joins a running transaction. */
  async fail({ _id, workspaceId }: Pick<CrmSyncJobRecord, '_id' | 'workspaceId'>, problem: SyncProblem): Promise<void> {
    await this.transactions.run(async () => {
      const job = await this.jobs.findOne({ _id, workspaceId, open: true }).lean<CrmSyncJobRecord>();
      if (job) await this.#end(job, { status: 'failed', problem });
    });
  }

  /** Call it in the transaction that read the job as open. */
  async cancel(job: CrmSyncJobRecord): Promise<CrmSyncJobRecord> {
    return this.#end(job, { status: 'cancelled' });
  }

  /**
   * Records outcomes and the position in the running transaction; the last person completes the job.
   * @param isDone whether no person of this job is marked; called after the last page
   * @returns the job after it
   * @throws CrmLeaseLostError, SyncSupersededError
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

  /** Requires, in the running transaction, an unchanged open job and the lease. @throws CrmLeaseLostError, SyncSupersededError */
  async requireCurrent(context: CrmWorkContext, { _id, workspaceId, revision }: CrmSyncJobRecord): Promise<void> {
    await context.requireLease();
    if (!(await this.jobs.exists({ _id, workspaceId, open: true, revision }))) throw new SyncSupersededError();
  }

  /**
   * Continues without deleted fields, and from the start after a lost cursor: synced people are `unchanged` then. Any
   * other error fails the job.
   * @throws CrmError when the fields cannot be read
   */
  async repair(context: CrmWorkContext, job: CrmSyncJobRecord, error: CrmError): Promise<void> {
    const place = await this.#decideRepair(context, job, error);
    if (place) await this.transactions.run(() => this.writeProgress(context, job, [], place));
    else await this.fail(job, { code: error.code, message: error.message });
  }

  /** Open marks stay: the next sync of these people searches the CRM first. */
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
            // People added during the sync count too.
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
    // Lean: Mongoose documents would take thirty times as long.
    await this.results.insertMany(records, { lean: true });
  }

  /** Null when it cannot be repaired. */
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
    const mapped = listFields(withoutDropped(mapping, job.droppedFields), job.jobType);
    const there = field !== null && mapped.includes(field) ? null : await session.fields(context.signal);
    const names = new Set(there?.map(({ name }) => name));
    const missing = there ? mapped.filter((name) => !names.has(name)) : [field ?? ''];
    return missing.length === 0 ? null : { droppedFields: [...job.droppedFields, ...missing] };
  }
}

function toSyncErrors({ result, email, externalId, reason, message }: SyncOutcome): SyncError[] {
  return result === 'failed' ? [{ email, externalId, code: reason || 'other', message }] : [];
}
