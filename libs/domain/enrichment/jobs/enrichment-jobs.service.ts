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

/** Jobs as their users see them. One whose seven days are over is not there, whether it was cleared away already or not. */
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

  /** Newest first, in pages by number: the contract's only list of that kind, and a short one, as jobs live for seven days. */
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

  /** What the contract's form has no place for: why it failed, and how many results there are of each kind. @throws NOT_FOUND */
  async details(workspace: WorkspaceScope, jobId: string): Promise<EnrichmentJobDetailsResponse> {
    const job = await this.find(workspace, jobId);
    return toEnrichmentJobDetails(job, await this.results.kinds(job));
  }

  /**
   * Ends a job: what was found out stays and is paid for, the other credits are given back, and what comes late is dropped. Cancelling
   * again changes nothing.
   * @throws NOT_FOUND, CONFLICT for one that is completed or failed
   */
  async cancel(workspace: WorkspaceScope, jobId: string): Promise<EnrichmentJobResponse> {
    const cancelled = await this.transactions.run(async () => {
      const job = await this.find(workspace, jobId);
      if (job.status === 'cancelled') return job;
      if (!job.open)
        throw conflict(`This job is ${job.status}; only one that is pending or processing can be cancelled`);
      const after = await this.ends.cancel(job);
      await this.audit.record(workspace, { action: 'enrichment_job.cancelled', target: targetOf(job) });
      return after;
    });
    return toEnrichmentJob(cancelled);
  }

  /** The job is gone with its results, whether it is over or not; what was done is paid for. @throws NOT_FOUND */
  async delete(workspace: WorkspaceScope, jobId: string): Promise<MessageResponse> {
    await this.transactions.run(async () => {
      const job = await this.find(workspace, jobId);
      await this.ends.remove(job);
      await this.audit.record(workspace, { action: 'enrichment_job.deleted', target: targetOf(job) });
    });
    return { message: 'Enrichment job deleted' };
  }

  /** @throws NOT_FOUND, also for a malformed id and for one that has expired */
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

  /** As a file. @throws NOT_FOUND for the job, before anything is written */
  async streamResults(workspace: WorkspaceScope, jobId: string, query: EnrichmentExportQuery): Promise<Readable> {
    return this.results.csv(await this.find(workspace, jobId), query);
  }
}

function targetOf({ code }: EnrichmentJobRecord): { type: 'enrichment_job'; id: string } {
  return { type: 'enrichment_job', id: code };
}
