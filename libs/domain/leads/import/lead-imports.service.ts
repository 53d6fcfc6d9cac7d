import { Readable } from 'node:stream';
import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService, parseId, TransactionService } from '@platform/database';
import { notFound } from '@platform/errors';
import { type Model } from 'mongoose';
import { LeadCampaignService } from '../lead-campaign.service';
import { type LeadImportQuery, type LeadImportResponse, toLeadImport } from './dto/lead-import.dto';
import { ImportRefusalsService } from './import-refusals.service';
import { LeadImportRepository } from './lead-import.repository';
import { notOpen } from './lead-import.errors';
import { LeadImportRecord } from './schemas/lead-import.record';

/** Imports as their users see them: how far they are, what was refused, and ending them. */
@Injectable()
export class LeadImportsService {
  constructor(
    @InjectModel(LeadImportRecord.name) private readonly imports: Model<LeadImportRecord>,
    private readonly campaigns: LeadCampaignService,
    private readonly refusals: ImportRefusalsService,
    private readonly states: LeadImportRepository,
    private readonly audit: AuditService,
    private readonly pages: PageService,
    private readonly transactions: TransactionService,
  ) {}

  /** Newest first. @throws NOT_FOUND for the campaign */
  async list(
    workspace: WorkspaceScope,
    campaignId: string,
    { limit, cursor }: LeadImportQuery,
  ): Promise<Page<LeadImportResponse>> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const { workspaceId } = workspace;
    const filter = { workspaceId, campaignId: campaign._id };
    return this.pages.read(this.imports, { scope: workspaceId, filter, page: { limit, cursor } }, toLeadImport);
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, campaignId: string, importId: string): Promise<LeadImportResponse> {
    return toLeadImport(await this.#find(workspace, campaignId, importId));
  }

  /**
   * Ends an import; once it answers, no more leads come of it. Those that it has made stay. Cancelling again changes
   * nothing.
   * @throws NOT_FOUND, CONFLICT for one that is completed or failed
   */
  async cancel(workspace: WorkspaceScope, campaignId: string, importId: string): Promise<LeadImportResponse> {
    const cancelled = await this.transactions.run(async () => {
      const record = await this.#find(workspace, campaignId, importId);
      if (record.status === 'cancelled') return record;
      if (!record.open) throw notOpen(record.status);
      const after = await this.states.cancel(record);
      const target = { type: 'campaign', id: record.campaignId.toHexString() } as const;
      await this.audit.record(workspace, { action: 'leads.import_cancelled', target });
      return after;
    });
    await this.states.removeFile(cancelled);
    return toLeadImport(cancelled);
  }

  /** The rows that were refused so far, as CSV. @throws NOT_FOUND, also when they are no longer kept */
  async refused(workspace: WorkspaceScope, campaignId: string, importId: string): Promise<Readable> {
    const record = await this.#find(workspace, campaignId, importId);
    if (this.states.isForgotten(record)) throw notFound('List of refused rows of this import');
    return Readable.from(this.refusals.csv(record));
  }

  async #find(workspace: WorkspaceScope, campaignId: string, importId: string): Promise<LeadImportRecord> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const _id = parseId(importId);
    const where = { _id, workspaceId: workspace.workspaceId, campaignId: campaign._id };
    const record = _id && (await this.imports.findOne(where as never).lean<LeadImportRecord>());
    if (!record) throw notFound('Import');
    return record;
  }
}
