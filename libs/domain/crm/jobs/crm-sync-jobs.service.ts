import { type CrmType } from '@adapters/crm';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { CampaignRepository } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId, TransactionService } from '@platform/database';
import { conflict, invalidField, limitExceeded } from '@platform/errors';
import { createHash } from 'node:crypto';
import { type Model, Types } from 'mongoose';
import { CrmConnectionRepository, type OpenCrm } from '../connections/crm-connection.repository';
import { crmNamed } from '../parse-crm-type';
import { CrmWorkPartitionService } from '../work-partitions/crm-work-partition.service';
import { type CrmSyncJobResponse, toSyncJob } from './dto/crm-sync-job.dto';
import { type CreateCrmSyncRequest } from './dto/crm-sync-job-requests.dto';
import {
  CrmSyncJobRecord,
  SYNC_RESULTS,
  type SyncCounts,
  type SyncTrigger,
  type SyncType,
} from './schemas/crm-sync-job.record';
import { type PullFilter, type PushFilter } from './sync-filters';

/** Jobs to one CRM that are pending or processing at one time. */
export const MAX_OPEN_JOBS = 10;
/** Leads that a push can be begun for by name. */
export const MAX_LEADS = 1_000;
/** The next pull looks again at what changed so shortly before the last one: clocks differ, and a list may lag behind. */
const OVERLAP_MS = 5 * 60_000;

/** A sync that somebody wants. */
export interface SyncInput {
  readonly crmType: CrmType;
  readonly jobType: SyncType;
  /** Of a pull: where new people land. Of a push: only its leads. */
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

/** How syncs come to be. */
@Injectable()
export class CrmSyncJobsService {
  constructor(
    @InjectModel(CrmSyncJobRecord.name) private readonly jobs: Model<CrmSyncJobRecord>,
    private readonly connections: CrmConnectionRepository,
    private readonly campaigns: CampaignRepository,
    private readonly lanes: CrmWorkPartitionService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** What somebody asks for by the API. @throws NOT_FOUND for another CRM, and as `create` */
  async request(workspace: WorkspaceScope, type: string, request: CreateCrmSyncRequest): Promise<CrmSyncJobResponse> {
    const { entityType: _entityType, ...wanted } = request;
    return this.create(workspace, { ...wanted, crmType: crmNamed(type), trigger: 'manual' });
  }

  /**
   * A job that stands in line; the worker does those of one CRM one after the other. Not inside a transaction.
   * @throws VALIDATION_ERROR, CRM_NOT_CONNECTED, CONFLICT for a pull into an archived campaign, LIMIT_EXCEEDED
   */
  async create(workspace: WorkspaceScope, wanted: SyncInput): Promise<CrmSyncJobResponse> {
    const job = await this.transactions.run(() => this.begin(workspace, wanted));
    await this.enqueue(workspace, wanted.crmType);
    return toSyncJob(job);
  }

  /** The same in the running transaction, for those who change something with it; `announce` comes after it. */
  async begin(workspace: WorkspaceScope, wanted: SyncInput): Promise<CrmSyncJobRecord> {
    const { workspaceId } = workspace;
    const { crmType } = wanted;
    requireOneDirection(wanted);
    const campaignId = await this.#campaign(workspace, wanted);
    const crm = await this.connections.open(workspaceId, crmType);
    // Before the others are counted: of two who race for the last place one is run again, and sees the other.
    await this.lanes.schedule(workspaceId, crmType);
    const open = await this.jobs.countDocuments({ workspaceId, crmType, open: true });
    if (open >= MAX_OPEN_JOBS) {
      throw limitExceeded(`${MAX_OPEN_JOBS} syncs with ${crmType} are on their way; wait for one of them`);
    }
    return this.#insert(workspace, wanted, { crm, campaignId });
  }

  /** Wakes the worker for what was begun. Never throws for Redis. */
  async enqueue({ workspaceId }: WorkspaceScope, crmType: CrmType): Promise<void> {
    await this.lanes.enqueue(workspaceId, crmType);
  }

  async #campaign({ workspaceId }: WorkspaceScope, { campaignId, jobType }: SyncInput): Promise<Types.ObjectId | null> {
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
    wanted: SyncInput,
    { crm, campaignId }: { crm: OpenCrm; campaignId: Types.ObjectId | null },
  ): Promise<CrmSyncJobRecord> {
    const { workspaceId, actor } = workspace;
    const { crmType, jobType, dryRun = false, full = false, trigger, leadIds } = wanted;
    const filter = JSON.stringify((jobType === 'pull' ? wanted.filter : wanted.leadFilter) ?? {});
    const signature = signatureOf(crm, { jobType, campaignId, filter });
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
      since: jobType === 'pull' && !full ? await this.#since(workspaceId, signature) : null,
      // What only told what it would do brought nobody.
      signature: dryRun ? `dry-${signature}` : signature,
      counts: NOBODY_YET,
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

  /** When the last one that brought the same people by the same rules began; null when none did. */
  async #since(workspaceId: string, signature: string): Promise<Date | null> {
    const last = await this.jobs
      .findOne({ workspaceId, signature, status: 'completed' }, { startedAt: 1 })
      .sort({ startedAt: -1 })
      .lean<Pick<CrmSyncJobRecord, 'startedAt'>>();
    return last?.startedAt ? new Date(last.startedAt.getTime() - OVERLAP_MS) : null;
  }
}

const NOBODY_YET = Object.fromEntries(SYNC_RESULTS.map((result) => [result, 0])) as SyncCounts;

/** @throws VALIDATION_ERROR for what the direction has no use for, or lacks */
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

/** Says of two jobs whether they bring the same people by the same rules. */
function signatureOf(
  { connectionId, mapping }: OpenCrm,
  job: { jobType: SyncType; campaignId: Types.ObjectId | null; filter: string },
): string {
  const rules = mapping.map(({ lead, crm, direction, overwrite, values }) => [lead, crm, direction, overwrite, values]);
  const text = JSON.stringify([connectionId, job.jobType, job.campaignId, job.filter, rules]);
  return createHash('sha256').update(text).digest('base64url');
}
