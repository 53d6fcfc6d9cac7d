import { Readable } from 'node:stream';
import { type WorkspaceScope } from '@domain/access';
import { CampaignRepository } from '@domain/campaigns';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Page, PageService, parseId, TransactionService } from '@platform/database';
import { notFound } from '@platform/errors';
import { stringify } from 'csv-stringify/sync';
import { type Model, Types } from 'mongoose';
import { LeadCampaignService } from '../lead-campaign.service';
import { DELIMITERS } from './csv-record-reader';
import {
  type ImportLeadsQuery,
  type LeadImportQuery,
  type LeadImportResponse,
  toLeadImport,
} from './dto/lead-import.dto';
import { parseMapping } from './import-columns';
import { type HeadOptions } from './import-head';
import { LeadImportJobRecordService } from './lead-import-job-record.service';
import { notOpen, toUploadRefusal } from './lead-import.errors';
import { LeadImportRepository } from './lead-import.repository';
import { LeadImportRefusalRecord } from './schemas/lead-import-refusal.record';
import { LeadImportRecord } from './schemas/lead-import.record';
import { type ReceivedUpload, receiveUpload } from './upload-receiver';

/** Most spreadsheets read a file as UTF-8 only with this mark. */
const BYTE_ORDER_MARK = '\ufeff';

/** Imports as the users of the API see them: upload, progress, refused rows and cancellation. */
@Injectable()
export class LeadImportsService {
  constructor(
    @InjectModel(LeadImportRecord.name) private readonly imports: Model<LeadImportRecord>,
    @InjectModel(LeadImportRefusalRecord.name) private readonly refusals: Model<LeadImportRefusalRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly leadCampaigns: LeadCampaignService,
    private readonly repository: LeadImportRepository,
    private readonly audit: AuditService,
    private readonly pages: PageService,
    private readonly jobs: LeadImportJobRecordService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
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
   * Cancels an import. When it returns, no more leads are created; existing leads remain. Repeatable.
   * @throws NOT_FOUND, CONFLICT for a completed or failed import
   */
  async cancel(workspace: WorkspaceScope, campaignId: string, importId: string): Promise<LeadImportResponse> {
    const cancelled = await this.transactions.run(async () => {
      const record = await this.#find(workspace, campaignId, importId);
      if (record.status === 'cancelled') return record;
      if (!record.open) throw notOpen(record.status);
      const after = await this.jobs.close(record, { status: 'cancelled' });
      const target = { type: 'campaign', id: record.campaignId.toHexString() } as const;
      await this.audit.record(workspace, { action: 'leads.import_cancelled', target });
      return after;
    });
    await this.repository.removeFile({ workspaceId: cancelled.workspaceId, importId: cancelled._id });
    return toLeadImport(cancelled);
  }

  /** The rows refused so far, as CSV. @throws NOT_FOUND, also after their retention */
  async refused(workspace: WorkspaceScope, campaignId: string, importId: string): Promise<Readable> {
    const record = await this.#find(workspace, campaignId, importId);
    if (this.repository.isExpired(record)) throw notFound('List of refused rows of this import');
    return Readable.from(this.#listRefusedRows(record));
  }

  /**
   * Stores a file in parts while it is received, and schedules its import. Column errors are reported as soon as the
   * header is read. After any error the stored parts are removed.
   * @param file its bytes; an error of the iterable is rethrown
   * @throws NOT_FOUND, CONFLICT for an archived campaign, LIMIT_EXCEEDED for too many open imports, VALIDATION_ERROR
   *   (`mapping`, `file`)
   */
  async receive(
    workspace: WorkspaceScope,
    campaignId: string,
    query: ImportLeadsQuery,
    file: AsyncIterable<Uint8Array>,
  ): Promise<LeadImportResponse> {
    const campaign = await this.leadCampaigns.open(workspace, campaignId);
    await this.repository.checkLimit(workspace);
    const expiresAt = this.repository.getExpiry();
    const stored = { workspaceId: campaign.workspaceId, importId: new Types.ObjectId() };
    try {
      const options = toHeadOptions(query);
      const upload = await receiveUpload(file, options, (part, data) =>
        this.repository.writeChunk(stored, part, data, expiresAt),
      );
      const record = await this.transactions.run(() =>
        this.#create(workspace, { _id: stored.importId, campaignId: campaign._id, expiresAt }, query, upload),
      );
      await this.jobs.enqueue(record);
      return toLeadImport(record);
    } catch (error) {
      await this.repository.removeFile(stored);
      throw toUploadRefusal(error);
    }
  }

  /** Yields CSV in file order, one batch at a time; row, reason and detail precede the columns of the file. */
  async *#listRefusedRows({
    _id: importId,
    workspaceId,
    columns,
    delimiter,
  }: LeadImportRecord): AsyncGenerator<string> {
    const write = (rows: string[][]): string =>
      // Cells that a spreadsheet would read as a formula get an apostrophe.
      stringify(rows, { delimiter: DELIMITERS[delimiter], record_delimiter: '\r\n', escape_formulas: true });
    const headers = columns.map(({ column, header }) => header || `column ${column}`);
    yield BYTE_ORDER_MARK + write([['importRow', 'importReason', 'importDetail', ...headers]]);
    const batches = this.refusals.find({ workspaceId, importId }, { rows: 1 }).sort({ row: 1 }).batchSize(2).lean();
    for await (const { rows } of batches.cursor()) {
      yield write(rows.map(({ row, reason, detail, cells }) => [String(row), reason, detail, ...cells]));
    }
  }

  async #find(workspace: WorkspaceScope, campaignId: string, importId: string): Promise<LeadImportRecord> {
    const campaign = await this.campaigns.find(workspace, campaignId);
    const _id = parseId(importId);
    const where = { _id, workspaceId: workspace.workspaceId, campaignId: campaign._id };
    const record = _id && (await this.imports.findOne(where as never).lean<LeadImportRecord>());
    if (!record) throw notFound('Import');
    return record;
  }

  async #create(
    workspace: WorkspaceScope,
    place: Pick<LeadImportRecord, '_id' | 'campaignId' | 'expiresAt'>,
    { fileName, hasHeader, verify }: Pick<ImportLeadsQuery, 'fileName' | 'hasHeader' | 'verify'>,
    { bytes, encoding, head }: ReceivedUpload,
  ): Promise<LeadImportRecord> {
    await this.repository.ensureRoom(workspace);
    const { workspaceId, actor } = workspace;
    const record = await this.imports.create({
      ...place,
      nextAt: this.clock.now(),
      workspaceId,
      fileName: fileName ?? null,
      encoding,
      delimiter: head.delimiter,
      hasHeader: hasHeader !== 'false',
      ...(verify && { verify: verify === 'true' }),
      columns: head.columns,
      bytes,
      position: head.start,
      counts: {},
      createdBy: actor,
    } as never);
    const target = { type: 'campaign', id: place.campaignId.toHexString() } as const;
    await this.audit.record(workspace, { action: 'leads.import_started', target });
    return (record as unknown as { toObject(): LeadImportRecord }).toObject();
  }
}

function toHeadOptions({ mapping, delimiter = 'auto', hasHeader }: ImportLeadsQuery): HeadOptions {
  return { delimiter, hasHeader: hasHeader !== 'false', mapping: mapping === undefined ? null : parseMapping(mapping) };
}
