import { systemScope } from '@domain/access';
import { EventsService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { writeConflict, TransactionService } from '@platform/database';
import { MetricsService } from '@platform/observability';
import { type Model } from 'mongoose';
import { CrmConnectionRepository } from '../connections/crm-connection.repository';
import { CrmSyncJobRecord, type SyncProblem } from '../jobs/schemas/crm-sync-job.record';

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
    if (!dryRun) await this.connections.synced(workspaceId, crmType, this.clock.now());
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
}
