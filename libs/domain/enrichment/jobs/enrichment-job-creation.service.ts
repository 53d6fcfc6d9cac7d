import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { CreditReservationsService, CreditsService } from '@domain/credits';
import { WorkspaceLimitsService } from '@domain/identity';
import { LeadRepository } from '@domain/leads';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { KeyedMutex } from '@platform/concurrency';
import { TransactionService } from '@platform/database';
import { limitExceeded } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import pLimit from 'p-limit';
import { type CreateEnrichmentJobRequest } from '../dto/enrichment-job-requests.dto';
import { type CreatedEnrichmentJobResponse, toEnrichmentJob } from '../dto/enrichment-job.dto';
import { type EnrichmentType } from '../item-handlers/enrichment-type';
import { type ItemHandler } from '../item-handlers/item-handler';
import { ItemHandlerRegistry } from '../item-handlers/item-handler.registry';
import { type EnrichmentItemInput, EnrichmentItemRepository } from '../runs/enrichment-item.repository';
import { EnrichmentWorkPartitionService } from '../runs/enrichment-work-partition.service';
import { EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { chooseAddresses, type ChosenAddresses } from './job-addresses';
import { newJobCode } from './job-code';
import { CREDITS_PER_ITEM, getOperation, RESERVED_MS, RETENTION_MS } from './job-price';

const WRITING_AT_ONCE = 8;

/** Jobs of a workspace that are pending or processing at one time. */
export const MAX_OPEN_JOBS = 500;

/** A job whose items are written. */
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
  /** Of those that come at once, so many write their items: each may have tens of thousands, and the database is there for others. */
  readonly #writing = pLimit(WRITING_AT_ONCE);

  /** All jobs of a workspace are paid from one account: those that come at once would only run into each other there. */
  readonly #line = new KeyedMutex();

  constructor(
    @InjectModel(EnrichmentJobRecord.name) private readonly jobs: Model<EnrichmentJobRecord>,
    private readonly handlers: ItemHandlerRegistry,
    private readonly leads: LeadRepository,
    private readonly items: EnrichmentItemRepository,
    private readonly credits: CreditsService,
    private readonly partitions: EnrichmentWorkPartitionService,
    private readonly reservations: CreditReservationsService,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * A job that is pending, with its credits reserved; the worker does it.
   * @throws VALIDATION_ERROR; INSUFFICIENT_CREDITS naming what is missing, and nothing is made; LIMIT_EXCEEDED; what the work says
   *   that cannot be carried out as things stand
   */
  async create(workspace: WorkspaceScope, request: CreateEnrichmentJobRequest): Promise<CreatedEnrichmentJobResponse> {
    const work = this.handlers.get(request.type);
    const chosen = await chooseAddresses(this.leads, workspace, request);
    await work.requireReady?.(workspace.workspaceId);
    const job = await this.#make(workspace, work, chosen);
    await this.partitions.enqueue(workspace.workspaceId);
    return { ...toEnrichmentJob(job), duplicateItems: chosen.duplicates };
  }

  /**
   * Joins the running transaction. The workspace is claimed, so that of two who race for the last place one is run again and sees the
   * other.
   * @throws LIMIT_EXCEEDED, INSUFFICIENT_CREDITS, NOT_FOUND for a workspace that is gone, SERVICE_UNAVAILABLE
   */
  async insert(workspace: WorkspaceScope, wanted: EnrichmentJobInput): Promise<EnrichmentJobRecord> {
    const { workspaceId } = workspace;
    const { _id, type, prefix, campaignId, totalItems } = wanted;
    await this.limits.claim(workspaceId);
    const open = await this.jobs.countDocuments({ workspaceId, open: true });
    if (open >= MAX_OPEN_JOBS) {
      throw limitExceeded(`${MAX_OPEN_JOBS} enrichment jobs are on their way in this workspace; wait for one of them`);
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
      code: newJobCode(prefix, createdAt),
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

  /** The items, and then in one transaction the job with everything that belongs to it. */
  async #make(workspace: WorkspaceScope, work: ItemHandler, chosen: ChosenAddresses): Promise<EnrichmentJobRecord> {
    const { workspaceId } = workspace;
    const { campaignId, items } = chosen;
    const wanted = {
      _id: new Types.ObjectId(),
      type: work.type,
      prefix: work.prefix,
      campaignId,
      totalItems: items.length,
    };
    try {
      await this.#writing(() => this.#write(workspace, wanted._id, items));
      return await this.#line.run(workspaceId, () =>
        this.transactions.run(async () => {
          await this.partitions.schedule(workspaceId, Math.ceil(items.length / work.chunk));
          return this.insert(workspace, wanted);
        }),
      );
    } catch (error) {
      // Without effect when the job was made after all, and nobody heard of it: then its items are no longer loose. What fails here,
      // the worker clears away.
      await this.items.abandon(workspaceId, wanted._id).catch(() => undefined);
      throw error;
    }
  }

  async #write(workspace: WorkspaceScope, jobId: Types.ObjectId, items: readonly EnrichmentItemInput[]): Promise<void> {
    // Before tens of thousands of items are written for nothing.
    await this.credits.checkBalance(workspace, items.length * CREDITS_PER_ITEM);
    await this.items.stage(workspace.workspaceId, jobId, items);
  }
}
