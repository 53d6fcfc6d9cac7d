import { type Readable } from 'node:stream';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type MessageResponse } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Page, TransactionService } from '@platform/database';
import { conflict } from '@platform/errors';
import { type PageNumbersResponse } from '@platform/validation';
import { type Model } from 'mongoose';
import {
  type EnrichmentExportQuery,
  type EnrichmentJobQuery,
  type EnrichmentResultQuery,
} from '../dto/enrichment-job-requests.dto';
import {
  type EnrichmentJobDetailsResponse,
  type EnrichmentJobResponse,
  type ListedEnrichmentJobResponse,
  toEnrichmentJob,
  toEnrichmentJobDetails,
  toListedEnrichmentJob,
} from '../dto/enrichment-job.dto';
import { type EnrichmentResultResponse } from '../dto/enrichment-result.dto';
import { EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { EnrichmentJobEndService } from './enrichment-job-end.service';
import { EnrichmentResultRepository } from './enrichment-result.repository';
import { jobNotFound } from './enrichment.errors';
import { isJobCode } from './job-code';

/**
 * Jobs and results as the users of the API see them. An expired job does not exist for them, even before its deletion.
 */
@Injectable()
export class EnrichmentJobsService {
  constructor(
    @InjectModel(EnrichmentJobRecord.name) private readonly jobs: Model<EnrichmentJobRecord>,
    private readonly ends: EnrichmentJobEndService,
    private readonly results: EnrichmentResultRepository,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Lists jobs, newest first, with page numbers: the only such list of the contract, and a short one, because jobs
   * expire after seven days.
   */
  async list(
    { workspaceId }: WorkspaceScope,
    { page, limit }: EnrichmentJobQuery,
  ): Promise<{ items: ListedEnrichmentJobResponse[]; pagination: PageNumbersResponse }> {
    const filter = { workspaceId, expiresAt: { $gt: this.clock.now() } };
    const total = await this.jobs.countDocuments(filter);
    const records = await this.jobs
      .find(filter)
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * limit)
      .limit(limit)
      .lean<EnrichmentJobRecord[]>();
    const pagination = { page, limit, total, totalPages: Math.ceil(total / limit) };
    return { items: records.map(toListedEnrichmentJob), pagination };
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, jobId: string): Promise<EnrichmentJobResponse> {
    return toEnrichmentJob(await this.find(workspace, jobId));
  }

  /** Adds to the contract's form the error and the number of results of each kind. @throws NOT_FOUND */
  async details(workspace: WorkspaceScope, jobId: string): Promise<EnrichmentJobDetailsResponse> {
    const job = await this.find(workspace, jobId);
    return toEnrichmentJobDetails(job, await this.results.kinds(job));
  }

  /**
   * Cancels a job: its results remain and are charged, other credits are released, late results are dropped.
   * Repeatable.
   * @throws NOT_FOUND, CONFLICT for a completed or failed job
   */
  async cancel(workspace: WorkspaceScope, jobId: string): Promise<EnrichmentJobResponse> {
    const cancelled = await this.transactions.run(async () => {
      const job = await this.find(workspace, jobId);
      if (job.status === 'cancelled') return job;
      if (!job.open)
        throw conflict(`This job is ${job.status}; only one that is pending or processing can be cancelled`);
      const after = await this.ends.cancel(job);
      await this.audit.record(workspace, { action: 'enrichment_job.cancelled', target: toAuditTarget(job) });
      return after;
    });
    return toEnrichmentJob(cancelled);
  }

  /** Deletes a job with its results, in any status; its results are charged. @throws NOT_FOUND */
  async delete(workspace: WorkspaceScope, jobId: string): Promise<MessageResponse> {
    await this.transactions.run(async () => {
      const job = await this.find(workspace, jobId);
      await this.ends.remove(job);
      await this.audit.record(workspace, { action: 'enrichment_job.deleted', target: toAuditTarget(job) });
    });
    return { message: 'Enrichment job deleted' };
  }

  /** @throws NOT_FOUND, also for a malformed id and for an expired job */
  async find({ workspaceId }: Pick<WorkspaceScope, 'workspaceId'>, jobId: string): Promise<EnrichmentJobRecord> {
    const job = isJobCode(jobId)
      ? await this.jobs.findOne({ workspaceId, code: jobId }).lean<EnrichmentJobRecord>()
      : null;
    if (!job || job.expiresAt <= this.clock.now()) throw jobNotFound();
    return job;
  }

  /** @throws NOT_FOUND for the job */
  async listResults(
    workspace: WorkspaceScope,
    jobId: string,
    query: EnrichmentResultQuery,
  ): Promise<Page<EnrichmentResultResponse>> {
    return this.results.page(await this.find(workspace, jobId), query);
  }

  /** Streams the results as CSV. @throws NOT_FOUND for the job, before anything is written */
  async streamResults(workspace: WorkspaceScope, jobId: string, query: EnrichmentExportQuery): Promise<Readable> {
    return this.results.csv(await this.find(workspace, jobId), query);
  }
}

function toAuditTarget({ code }: EnrichmentJobRecord): { type: 'enrichment_job'; id: string } {
  return { type: 'enrichment_job', id: code };
}
