import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { CreditsService } from '@domain/credits';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { limitExceeded } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { type EnrichmentType } from '../item-handlers/enrichment-type';
import { newJobCode } from './job-code';
import { CREDITS_PER_ITEM, RESERVED_MS, RETENTION_MS, getOperation } from './job-price';
import { LooseItemsRepository } from '../runs/loose-items.repository';

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

/** The job itself, with the credits for all its items. */
@Injectable()
export class JobInsertionService {
  constructor(
    @InjectModel(EnrichmentJobRecord.name) private readonly jobs: Model<EnrichmentJobRecord>,
    private readonly reservations: CreditsService,
    private readonly looseItems: LooseItemsRepository,
    private readonly limits: WorkspaceLimitsService,
    private readonly audit: AuditService,
    private readonly clock: ClockPort,
  ) {}

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
    await this.looseItems.attachToJob(workspaceId, _id);
    await this.audit.record(workspace, {
      action: 'enrichment_job.created',
      target: { type: 'enrichment_job', id: record.code },
      changes: { type: { from: null, to: type }, items: { from: null, to: totalItems } },
    });
    return record;
  }
}
