import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService, parseId, TransactionService } from '@platform/database';
import { conflict } from '@platform/errors';
import { type Model } from 'mongoose';
import { CrmSyncJobRepository } from '../sync/crm-sync-job.repository';
import {
  type CrmSyncJobDetailsResponse,
  type CrmSyncJobResponse,
  type CrmSyncResultResponse,
  toSyncJob,
  toSyncJobDetails,
  toSyncResult,
} from './dto/crm-sync-job.dto';
import { type CrmSyncJobQuery, type CrmSyncResultQuery } from './dto/crm-sync-job-requests.dto';
import { CrmSyncJobRecord } from './schemas/crm-sync-job.record';
import { CrmSyncResultRecord } from './schemas/crm-sync-result.record';
import { syncJobNotFound } from './sync-job.errors';

/** Syncs as their users see them. */
@Injectable()
export class CrmSyncLogService {
  constructor(
    @InjectModel(CrmSyncJobRecord.name) private readonly jobs: Model<CrmSyncJobRecord>,
    @InjectModel(CrmSyncResultRecord.name) private readonly results: Model<CrmSyncResultRecord>,
    private readonly ends: CrmSyncJobRepository,
    private readonly pages: PageService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /** Newest first. */
  async list({ workspaceId }: WorkspaceScope, query: CrmSyncJobQuery): Promise<Page<CrmSyncJobResponse>> {
    const { crmType, jobType, status, limit, cursor } = query;
    const filter = {
      workspaceId,
      ...(crmType === undefined ? {} : { crmType }),
      ...(jobType === undefined ? {} : { jobType }),
      ...(status === undefined ? {} : { status }),
    };
    const without = ['filter', 'leadIds', 'batchDone'];
    return this.pages.read(this.jobs, { scope: workspaceId, filter, without, page: { limit, cursor } }, toSyncJob);
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, jobId: string): Promise<CrmSyncJobResponse> {
    return toSyncJob(await this.#find(workspace, jobId));
  }

  /** What the contract's form has no place for. @throws NOT_FOUND */
  async details(workspace: WorkspaceScope, jobId: string): Promise<CrmSyncJobDetailsResponse> {
    return toSyncJobDetails(await this.#find(workspace, jobId));
  }

  /** What became of each person, in the order in which that was found out; of the last thirty days. @throws NOT_FOUND */
  async records(
    workspace: WorkspaceScope,
    jobId: string,
    { result, limit, cursor }: CrmSyncResultQuery,
  ): Promise<Page<CrmSyncResultResponse>> {
    const { workspaceId } = workspace;
    const { _id } = await this.#find(workspace, jobId);
    const filter = { workspaceId, jobId: _id, ...(result === undefined ? {} : { result }) };
    return this.pages.read(
      this.results,
      { scope: workspaceId, filter, order: 'oldest', without: ['workspaceId', 'jobId'], page: { limit, cursor } },
      toSyncResult,
    );
  }

  /**
   * Ends a job: who was synced stays so. Cancelling again changes nothing.
   * @throws NOT_FOUND, CONFLICT for one that is completed or failed
   */
  async cancel(workspace: WorkspaceScope, jobId: string): Promise<CrmSyncJobResponse> {
    const cancelled = await this.transactions.run(async () => {
      const job = await this.#find(workspace, jobId);
      if (job.status === 'cancelled') return job;
      if (!job.open)
        throw conflict(`This job is ${job.status}; only one that is pending or processing can be cancelled`);
      const after = await this.ends.cancel(job);
      const target = { type: 'crm_sync', id: job._id.toHexString() } as const;
      await this.audit.record(workspace, { action: 'crm_sync.cancelled', target });
      return after;
    });
    return toSyncJob(cancelled);
  }

  async #find({ workspaceId }: WorkspaceScope, jobId: string): Promise<CrmSyncJobRecord> {
    const _id = parseId(jobId);
    const job = _id && (await this.jobs.findOne({ _id, workspaceId }).lean<CrmSyncJobRecord>());
    if (!job) throw syncJobNotFound();
    return job;
  }
}
