import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { CreditsService } from '@domain/credits';
import { WorkspaceLimitsService } from '@domain/identity';
import { LeadRepository } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { KeyedMutex } from '@platform/concurrency';
import { TransactionService } from '@platform/database';
import { limitExceeded } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { type Model, Types } from 'mongoose';
import pLimit from 'p-limit';
import { type CreateEnrichmentJobRequest } from '../dto/enrichment-job-requests.dto';
import { type CreatedEnrichmentJobResponse, toEnrichmentJob } from '../dto/enrichment-job.dto';
import { type EnrichmentType } from '../item-handlers/enrichment-type';
import { type ItemHandler } from '../item-handlers/item-handler';
import { ITEM_HANDLERS } from '../item-handlers/item-handler';
import { type EnrichmentItemInput, EnrichmentItemRepository } from '../runs/enrichment-item.repository';
import { EnrichmentWorkPartitionService } from '../runs/enrichment-work-partition.service';
import { EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { chooseAddresses, type ChosenAddresses } from './job-addresses';
import { createJobCode } from './job-code';
import { CREDITS_PER_ITEM, getOperation, RESERVED_MS, RETENTION_MS } from './job-price';

const WRITING_AT_ONCE = 8;

/** Maximum number of pending and processing jobs of a workspace. */
export const MAX_OPEN_JOBS = 500;

/** A job whose items are staged. */
export interface EnrichmentJobInput {
  readonly _id: Types.ObjectId;
  readonly type: EnrichmentType;
  readonly prefix: string;
  readonly campaignId: Types.ObjectId | null;
  readonly totalItems: number;
}

/** Creates jobs with their items and the reservation of their credits. */
@Injectable()
export class EnrichmentJobCreationService {
  /** Limits concurrent writes of items: each job may have tens of thousands. */
  readonly #writing = pLimit(WRITING_AT_ONCE);

  /** Serialises the jobs of a workspace: they charge one account, and concurrent ones would only conflict there. */
  readonly #line = new KeyedMutex();

  constructor(
    @InjectModel(EnrichmentJobRecord.name) private readonly jobs: Model<EnrichmentJobRecord>,
    private readonly hooks: HookRegistry,
    private readonly leads: LeadRepository,
    private readonly items: EnrichmentItemRepository,
    private readonly credits: CreditsService,
    private readonly partitions: EnrichmentWorkPartitionService,
    private readonly reservations: CreditsService,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Creates a pending job and reserves its credits.
   * @throws VALIDATION_ERROR; INSUFFICIENT_CREDITS naming the missing amount, with nothing created; LIMIT_EXCEEDED; the
   *   error of the handler when the job cannot run at present
   */
  async create(workspace: WorkspaceScope, request: CreateEnrichmentJobRequest): Promise<CreatedEnrichmentJobResponse> {
    const work = this.hooks.get(ITEM_HANDLERS, request.type);
    const chosen = await chooseAddresses(this.leads, workspace, request);
    await work.requireReady?.(workspace.workspaceId);
    const job = await this.#make(workspace, work, chosen);
    await this.partitions.enqueue(workspace.workspaceId);
    return { ...toEnrichmentJob(job), duplicateItems: chosen.duplicates };
  }

  /**
   * Joins the running transaction. Claims the workspace, so that of two concurrent insertions at the limit one is rerun
   * and sees the other.
   * @throws LIMIT_EXCEEDED, INSUFFICIENT_CREDITS, NOT_FOUND for a deleted workspace, SERVICE_UNAVAILABLE
   */
  async insert(workspace: WorkspaceScope, input: EnrichmentJobInput): Promise<EnrichmentJobRecord> {
    const { workspaceId } = workspace;
    const { _id, type, prefix, campaignId, totalItems } = input;
    await this.limits.claim(workspaceId);
    const open = await this.jobs.countDocuments({ workspaceId, open: true });
    if (open >= MAX_OPEN_JOBS) {
      throw limitExceeded(`${MAX_OPEN_JOBS} enrichment jobs are open in this workspace; wait until one of them ends`);
    }
    const createdAt = this.clock.now();
    await this.reservations.reserve(workspace, {
      operation: getOperation(_id),
      amount: totalItems * CREDITS_PER_ITEM,
      reason: `Enrichment job: ${type}, ${totalItems} items`,
      ttlMs: RESERVED_MS,
    });
    const created = await this.jobs.create({
      _id,
      workspaceId,
      code: createJobCode(prefix, createdAt),
      type,
      campaignId,
      totalItems,
      nextAt: createdAt,
      servedAt: createdAt,
      expiresAt: new Date(createdAt.getTime() + RETENTION_MS),
      createdAt,
    });
    const record = created.toObject<EnrichmentJobRecord>();
    await this.items.attachToJob(workspaceId, _id);
    await this.audit.record(workspace, {
      action: 'enrichment_job.created',
      target: { type: 'enrichment_job', id: record.code },
      changes: { type: { from: null, to: type }, items: { from: null, to: totalItems } },
    });
    return record;
  }

  /** Stages the items, and then creates the job with all its records in one transaction. */
  async #make(workspace: WorkspaceScope, work: ItemHandler, chosen: ChosenAddresses): Promise<EnrichmentJobRecord> {
    const { workspaceId } = workspace;
    const { campaignId, items } = chosen;
    const jobInput = {
      _id: new Types.ObjectId(),
      type: work.type,
      prefix: work.prefix,
      campaignId,
      totalItems: items.length,
    };
    try {
      await this.#writing(() => this.#write(workspace, jobInput._id, items));
      return await this.#line.run(workspaceId, () =>
        this.transactions.run(async () => {
          await this.partitions.schedule(workspaceId, Math.ceil(items.length / work.chunk));
          return this.insert(workspace, jobInput);
        }),
      );
    } catch (error) {
      // Without effect if the transaction was committed in spite of the error: the items are no longer staged then. If
      // this fails, the worker removes the items.
      await this.items.abandon(workspaceId, jobInput._id).catch(() => undefined);
      throw error;
    }
  }

  async #write(workspace: WorkspaceScope, jobId: Types.ObjectId, items: readonly EnrichmentItemInput[]): Promise<void> {
    // Checking the balance first avoids writing tens of thousands of items for a job that cannot be paid.
    await this.credits.checkBalance(workspace, items.length * CREDITS_PER_ITEM);
    await this.items.stage(workspace.workspaceId, jobId, items);
  }
}
