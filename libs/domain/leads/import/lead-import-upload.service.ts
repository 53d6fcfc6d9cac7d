import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { LeadCampaignService } from '../lead-campaign.service';
import { type ImportLeadsQuery, type LeadImportResponse, toLeadImport } from './dto/lead-import.dto';
import { ImportChunksRepository } from './import-chunks.repository';
import { parseMapping } from './import-columns';
import { type HeadOptions } from './import-head';
import { LeadImportRepository } from './lead-import.repository';
import { uploadRefusal } from './lead-import.errors';
import { LeadImportQueue } from './lead-import.queue';
import { LeadImportRecord } from './schemas/lead-import.record';
import { receiveUpload, type ReceivedUpload } from './upload-receiver';

/** Takes CSV files in and leaves their rows to the worker. */
@Injectable()
export class LeadImportUploadService {
  constructor(
    @InjectModel(LeadImportRecord.name) private readonly imports: Model<LeadImportRecord>,
    private readonly states: LeadImportRepository,
    private readonly chunks: ImportChunksRepository,
    private readonly campaigns: LeadCampaignService,
    private readonly queue: LeadImportQueue,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Stores a file while it comes in, a part at a time, and plans its import. What is wrong with its columns is said as soon
   * as they are read. Whatever goes wrong, nothing of the file stays.
   * @param file its bytes; when they break off with an error, that is thrown
   * @throws NOT_FOUND, CONFLICT for an archived campaign, LIMIT_EXCEEDED for too many imports at once, VALIDATION_ERROR
   *   (`mapping`, `file`)
   */
  async receive(
    workspace: WorkspaceScope,
    campaignId: string,
    query: ImportLeadsQuery,
    file: AsyncIterable<Uint8Array>,
  ): Promise<LeadImportResponse> {
    const campaign = await this.campaigns.open(workspace, campaignId);
    await this.states.checkLimit(workspace);
    const expiresAt = this.states.keptUntil();
    const stored = { workspaceId: campaign.workspaceId, importId: new Types.ObjectId() };
    try {
      const options = optionsOf(query);
      const upload = await receiveUpload(file, options, (part, data) =>
        this.chunks.write(stored, part, data, expiresAt),
      );
      const record = await this.transactions.run(() =>
        this.#create(workspace, { _id: stored.importId, campaignId: campaign._id, expiresAt }, query, upload),
      );
      await this.queue.plan({ workspaceId: workspace.workspaceId, importId: record._id.toHexString() });
      return toLeadImport(record);
    } catch (error) {
      await this.chunks.remove(stored);
      throw uploadRefusal(error);
    }
  }

  async #create(
    workspace: WorkspaceScope,
    place: Pick<LeadImportRecord, '_id' | 'campaignId' | 'expiresAt'>,
    { fileName, hasHeader, verify }: Pick<ImportLeadsQuery, 'fileName' | 'hasHeader' | 'verify'>,
    { bytes, encoding, head }: ReceivedUpload,
  ): Promise<LeadImportRecord> {
    await this.states.ensureRoom(workspace);
    const { workspaceId, actor } = workspace;
    const record = await this.imports.create({
      ...place,
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

function optionsOf({ mapping, delimiter = 'auto', hasHeader }: ImportLeadsQuery): HeadOptions {
  return { delimiter, hasHeader: hasHeader !== 'false', mapping: mapping === undefined ? null : parseMapping(mapping) };
}
