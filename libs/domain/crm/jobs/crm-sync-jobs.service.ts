import { createHash } from 'node:crypto';
import { type CrmType } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { CampaignRepository } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId, TransactionService, type Page, PageService } from '@platform/database';
import { conflict, invalidField, limitExceeded } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { CrmConnectionRepository, type OpenCrm } from '../connections/crm-connection.repository';
import { parseCrmType } from '../parse-crm-type';
import { CrmWorkPartitionService } from '../work-partitions/crm-work-partition.service';
import { CrmSyncJobRepository } from '../sync/crm-sync-job.repository';
import {
  type CrmSyncJobResponse,
  toSyncJob,
  type CrmSyncJobDetailsResponse,
  type CrmSyncResultResponse,
  toSyncJobDetails,
  toSyncResult,
} from './dto/crm-sync-job.dto';
import {
  type CreateCrmSyncRequest,
  type CrmSyncJobQuery,
  type CrmSyncResultQuery,
} from './dto/crm-sync-job-requests.dto';
import {
  CrmSyncJobRecord,
  SYNC_RESULTS,
  type SyncCounts,
  type SyncTrigger,
  type SyncType,
} from './schemas/crm-sync-job.record';
import { type PullFilter, type PushFilter } from './sync-filters';
import { CrmSyncResultRecord } from './schemas/crm-sync-result.record';
import { syncJobNotFound } from './sync-job.errors';

/** Maximum open jobs per CRM. */
export const MAX_OPEN_JOBS = 10;

/** Maximum leads that a push can list. */
export const MAX_LEADS = 1_000;

/** Overlap of consecutive pulls: clocks differ, and lists may lag. */
const OVERLAP_MS = 5 * 60_000;

/** A requested sync. */
export interface SyncInput {
  readonly crmType: CrmType;
  readonly jobType: SyncType;
  /** Pull: the campaign of new people. Push: only its leads. */
  readonly campaignId?: Types.ObjectId | string | undefined;
  /** Of a pull. */
  readonly filter?: PullFilter | undefined;
  /** Of a push of a campaign. */
  readonly leadFilter?: PushFilter | undefined;
  /** Of a push: these leads and no others; at most `MAX_LEADS`. */
  readonly leadIds?: readonly Types.ObjectId[] | undefined;
  readonly dryRun?: boolean | undefined;
  readonly full?: boolean | undefined;
  readonly trigger: SyncTrigger;
}

/** CRM sync jobs: creation, reads and cancellation. */
@Injectable()
export class CrmSyncJobsService {
  constructor(
    @InjectModel(CrmSyncJobRecord.name) private readonly jobs: Model<CrmSyncJobRecord>,
    private readonly connections: CrmConnectionRepository,
    private readonly campaigns: CampaignRepository,
    private readonly partitions: CrmWorkPartitionService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    @InjectModel(CrmSyncResultRecord.name) private readonly results: Model<CrmSyncResultRecord>,
    private readonly repository: CrmSyncJobRepository,
    private readonly pages: PageService,
  ) {}

  /** Creates a job by an API request. @throws NOT_FOUND for an unknown CRM, and as `create` */
  async request(workspace: WorkspaceScope, type: string, request: CreateCrmSyncRequest): Promise<CrmSyncJobResponse> {
    const { entityType: _entityType, ...input } = request;
    return this.create(workspace, { ...input, crmType: parseCrmType(type), trigger: 'manual' });
  }

  /**
   * Creates and enqueues a job; the worker runs those of one CRM sequentially. Not inside a transaction.
   * @throws VALIDATION_ERROR, CRM_NOT_CONNECTED, CONFLICT for a pull into an archived campaign, LIMIT_EXCEEDED
   */
  async create(workspace: WorkspaceScope, input: SyncInput): Promise<CrmSyncJobResponse> {
    const job = await this.transactions.run(() => this.begin(workspace, input));
    await this.enqueue(workspace, input.crmType);
    return toSyncJob(job);
  }

  /** Creates a job in the running transaction; call `enqueue` after it. */
  async begin(workspace: WorkspaceScope, input: SyncInput): Promise<CrmSyncJobRecord> {
    const { workspaceId } = workspace;
    const { crmType } = input;
    requireOneDirection(input);
    const campaignId = await this.#findCampaignId(workspace, input);
    const crm = await this.connections.open(workspaceId, crmType);
    // Before the count: one of two concurrent creations is retried and sees the other.
    await this.partitions.schedule(workspaceId, crmType);
    const open = await this.jobs.countDocuments({ workspaceId, crmType, open: true });
    if (open >= MAX_OPEN_JOBS) {
      throw limitExceeded(`${MAX_OPEN_JOBS} syncs with ${crmType} are open; wait for one of them`);
    }
    return this.#insert(workspace, input, { crm, campaignId });
  }

  /** Enqueues the created jobs. Never throws for Redis. */
  async enqueue({ workspaceId }: WorkspaceScope, crmType: CrmType): Promise<void> {
    await this.partitions.enqueue(workspaceId, crmType);
  }

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
    return toSyncJob(await this.#require(workspace, jobId));
  }

  /** Fields that the documented response lacks. @throws NOT_FOUND */
  async details(workspace: WorkspaceScope, jobId: string): Promise<CrmSyncJobDetailsResponse> {
    return toSyncJobDetails(await this.#require(workspace, jobId));
  }

  /** The result of each person in the order of processing, of the last thirty days. @throws NOT_FOUND */
  async records(
    workspace: WorkspaceScope,
    jobId: string,
    { result, limit, cursor }: CrmSyncResultQuery,
  ): Promise<Page<CrmSyncResultResponse>> {
    const { workspaceId } = workspace;
    const { _id } = await this.#require(workspace, jobId);
    const filter = { workspaceId, jobId: _id, ...(result === undefined ? {} : { result }) };
    return this.pages.read(
      this.results,
      { scope: workspaceId, filter, order: 'oldest', without: ['workspaceId', 'jobId'], page: { limit, cursor } },
      toSyncResult,
    );
  }

  /**
   * Cancels a job; completed changes stay. Idempotent.
   * @throws NOT_FOUND, CONFLICT for one that is completed or failed
   */
  async cancel(workspace: WorkspaceScope, jobId: string): Promise<CrmSyncJobResponse> {
    const cancelled = await this.transactions.run(async () => {
      const job = await this.#require(workspace, jobId);
      if (job.status === 'cancelled') return job;
      if (!job.open)
        throw conflict(`This job is ${job.status}; only one that is pending or processing can be cancelled`);
      const after = await this.repository.cancel(job);
      const target = { type: 'crm_sync', id: job._id.toHexString() } as const;
      await this.audit.record(workspace, { action: 'crm_sync.cancelled', target });
      return after;
    });
    return toSyncJob(cancelled);
  }

  async #findCampaignId(
    { workspaceId }: WorkspaceScope,
    { campaignId, jobType }: SyncInput,
  ): Promise<Types.ObjectId | null> {
    if (campaignId === undefined) return null;
    const _id = parseId(String(campaignId));
    const campaign = _id && (await this.campaigns.peek(workspaceId, _id));
    if (!campaign) throw invalidField('campaignId', 'campaignId is not a campaign of this workspace');
    if (jobType === 'pull' && campaign.status === 'archived') {
      throw conflict('This campaign is archived; leads can only be added to one that is not');
    }
    return campaign._id;
  }

  async #insert(
    workspace: WorkspaceScope,
    input: SyncInput,
    { crm, campaignId }: { crm: OpenCrm; campaignId: Types.ObjectId | null },
  ): Promise<CrmSyncJobRecord> {
    const { workspaceId, actor } = workspace;
    const { crmType, jobType, dryRun = false, full = false, trigger, leadIds } = input;
    const filter = JSON.stringify((jobType === 'pull' ? input.filter : input.leadFilter) ?? {});
    const signature = getSignature(crm, { jobType, campaignId, filter });
    const createdAt = this.clock.now();
    const created = await this.jobs.create({
      workspaceId,
      crmType,
      connectionId: crm.connectionId,
      jobType,
      trigger,
      dryRun,
      full,
      campaignId,
      filter,
      leadIds: leadIds === undefined ? null : [...leadIds],
      since: jobType === 'pull' && !full ? await this.#findSince(workspaceId, signature) : null,
      // A dry run stores no people.
      signature: dryRun ? `dry-${signature}` : signature,
      counts: NO_COUNTS,
      totalRecords: leadIds?.length ?? 0,
      progressAt: createdAt,
      createdBy: actor,
      createdAt,
    });
    const job = created.toObject<CrmSyncJobRecord>();
    await this.audit.record(workspace, {
      action: 'crm_sync.created',
      target: { type: 'crm_sync', id: job._id.toHexString() },
      changes: {
        crm: { from: null, to: crmType },
        jobType: { from: null, to: jobType },
        dryRun: { from: null, to: dryRun },
      },
    });
    return job;
  }

  /** The start of the last completed job with the same filter and rules; null without one. */
  async #findSince(workspaceId: string, signature: string): Promise<Date | null> {
    const last = await this.jobs
      .findOne({ workspaceId, signature, status: 'completed' }, { startedAt: 1 })
      .sort({ startedAt: -1 })
      .lean<Pick<CrmSyncJobRecord, 'startedAt'>>();
    return last?.startedAt ? new Date(last.startedAt.getTime() - OVERLAP_MS) : null;
  }

  async #require({ workspaceId }: WorkspaceScope, jobId: string): Promise<CrmSyncJobRecord> {
    const _id = parseId(jobId);
    const job = _id && (await this.jobs.findOne({ _id, workspaceId }).lean<CrmSyncJobRecord>());
    if (!job) throw syncJobNotFound();
    return job;
  }
}

const NO_COUNTS = Object.fromEntries(SYNC_RESULTS.map((result) => [result, 0])) as SyncCounts;

/** @throws VALIDATION_ERROR for fields that the direction does not allow or requires */
function requireOneDirection({ jobType, campaignId, filter, leadFilter, leadIds }: SyncInput): void {
  if (jobType === 'pull') {
    if (campaignId === undefined) throw invalidField('campaignId', 'campaignId is missing: new people land there');
    if (leadFilter !== undefined) throw invalidField('leadFilter', 'leadFilter can be given with jobType push only');
    return;
  }
  if (filter !== undefined) throw invalidField('filter', 'filter can be given with jobType pull only');
  if (leadFilter !== undefined && campaignId === undefined) {
    throw invalidField('leadFilter', 'leadFilter can be given with campaignId only');
  }
  if (leadIds && leadIds.length > MAX_LEADS)
    throw new Error(`At most ${MAX_LEADS} leads at once, not ${leadIds.length}`);
}

/** Equal for jobs with the same filter and rules. */
function getSignature(
  { connectionId, mapping }: OpenCrm,
  job: { jobType: SyncType; campaignId: Types.ObjectId | null; filter: string },
): string {
  const rules = mapping.map(({ lead, crm, direction, overwrite, values }) => [lead, crm, direction, overwrite, values]);
  const text = JSON.stringify([connectionId, job.jobType, job.campaignId, job.filter, rules]);
  return createHash('sha256').update(text).digest('base64url');
}
