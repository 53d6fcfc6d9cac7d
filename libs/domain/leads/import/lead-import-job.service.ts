import { systemScope, type WorkspaceScope } from '@domain/access';
import { CampaignRepository } from '@domain/campaigns';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { type Sweep } from '@platform/queues';
import { type RunWorkPartition } from '@platform/work-partitions';
import { type Model } from 'mongoose';
import { type InsertedLeads, LeadInsertionService } from '../lead-insertion.service';
import { type NewLead, type SkippedLead, type SkipReason } from '../lead-rows';
import { getBatches, type ImportBatch, type ImportRow } from './import-batches';
import { COUNT_OF } from './import-counts';
import { ImportRowReader, type RefusalReason } from './import-row-reader';
import { LeadImportJobRecordService, MAX_ATTEMPTS } from './lead-import-job-record.service';
import { fileMissing, findFinalProblem, stuck } from './lead-import.errors';
import { LeadImportRepository } from './lead-import.repository';
import { readAhead } from './read-ahead';
import { LeadImportRefusalRecord, type RefusedRow } from './schemas/lead-import-refusal.record';
import { type ImportPosition, type LeadImportRecord } from './schemas/lead-import.record';

/** A running import. */
export interface ImportAt {
  readonly record: LeadImportRecord;
  readonly workspace: WorkspaceScope;
}

interface Outcome {
  readonly created: number;
  readonly refused: RefusedRow[];
}

/** Details for people beyond the refusal reason. */
const DETAILS: Readonly<Partial<Record<SkipReason, string>>> = {
  removed_from_campaign: 'the lead was removed from this campaign after it had received emails',
};

const OVER_LIMIT = 'the workspace has reached its limit of leads (maxLeads)';

/** Turns the rows of uploaded files into leads. */
@Injectable()
export class LeadImportJobService implements Sweep {
  readonly name = 'lead-import';

  constructor(
    @InjectModel(LeadImportRefusalRecord.name) private readonly refusals: Model<LeadImportRefusalRecord>,
    private readonly repository: LeadImportRepository,
    private readonly jobs: LeadImportJobRecordService,
    private readonly insertion: LeadInsertionService,
    private readonly campaigns: CampaignRepository,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Continues an import from its position to its end. Without effect for an ended import, and while another worker runs
   * it.
   * @param signal stops the import between two batches
   */
  async run({ partitionId }: RunWorkPartition, signal: AbortSignal): Promise<void> {
    await this.jobs.runJob(partitionId, signal, (record, stop) => this.#finish(record, stop));
  }

  /** Enqueues each due import that has no job, and removes abandoned files. @returns the number of new jobs */
  async sweep(): Promise<number> {
    await this.repository.removeAbandonedFiles();
    return this.jobs.sweep();
  }

  /**
   * @returns whether the workspace is full: then `#refuseBatch` processes the remaining rows
   * @throws JobSupersededError; NOT_FOUND and CONFLICT when the campaign accepts no more leads
   */
  async #insertBatch(at: ImportAt, batch: ImportBatch, reader: ImportRowReader): Promise<boolean> {
    try {
      const { created } = await this.#commit(at, batch, () => this.#insertRows(at, batch.rows, reader));
      if (created > 0) await this.#scheduleSending(at);
      return false;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'LIMIT_EXCEEDED') throw error;
    }
    if (batch.rows.length <= 1) {
      await this.#refuseBatch(at, batch);
      return true;
    }
    // Part of the batch fits: halving finds how much.
    const half = Math.ceil(batch.rows.length / 2);
    const first = batch.rows.slice(0, half);
    const middle = getEnd(first, batch.end);
    const full = await this.#insertBatch(at, { rows: first, end: middle }, reader);
    const second = { rows: batch.rows.slice(half), end: batch.end };
    if (!full) return this.#insertBatch(at, second, reader);
    await this.#refuseBatch(at, second);
    return true;
  }

  /** Counts and stores rows that exceed the limit. @throws JobSupersededError */
  async #refuseBatch(at: ImportAt, batch: ImportBatch): Promise<void> {
    const refused = batch.rows.map((row) => createRefusal(row, 'over_limit', OVER_LIMIT));
    await this.#commit(at, batch, async () => ({ created: 0, refused }));
  }

  async #finish(record: LeadImportRecord, signal: AbortSignal): Promise<void> {
    try {
      if (this.jobs.isStuck(record)) throw stuck(MAX_ATTEMPTS);
      await this.#read(record, signal);
      await this.repository.complete(record);
    } catch (error) {
      const problem = findFinalProblem(error);
      if (!problem) throw error;
      await this.jobs.end(record, { status: 'failed', error: problem });
    }
    await this.repository.removeFile({ workspaceId: record.workspaceId, importId: record._id });
  }

  /** @throws JobSupersededError when the import was cancelled or another worker continues it */
  async #read(record: LeadImportRecord, signal: AbortSignal): Promise<void> {
    const { _id: importId, workspaceId, delimiter, encoding, columns, bytes } = record;
    const reader = new ImportRowReader(columns);
    const text = encoding === 'windows-1252' ? encoding : 'utf-8';
    const parts = this.repository.readChunks({ workspaceId, importId }, record.position.offset);
    const at: ImportAt = { record, workspace: systemScope(workspaceId.toHexString()) };
    let { position } = record;
    let full = false;
    for await (const batch of readAhead(getBatches(parts, position, { delimiter, text }))) {
      signal.throwIfAborted();
      if (full) await this.#refuseBatch(at, batch);
      else full = await this.#insertBatch(at, batch, reader);
      position = batch.end;
    }
    if (position.offset < bytes) throw fileMissing();
  }

  async #commit({ record }: ImportAt, batch: ImportBatch, work: () => Promise<Outcome>): Promise<Outcome> {
    const { _id, workspaceId, expiresAt } = record;
    return this.transactions.run(async () => {
      const outcome = await work();
      const progress = { $set: { position: batch.end }, ...toIncrements(batch.rows.length, outcome) };
      await this.jobs.writeProgress(record, progress);
      const [first] = outcome.refused;
      if (first) {
        const refusals = { workspaceId, importId: _id, row: first.row, rows: outcome.refused, expiresAt };
        await this.refusals.insertMany([refusals], { lean: true });
      }
      return outcome;
    });
  }

  async #insertRows(
    { record, workspace }: ImportAt,
    rows: readonly ImportRow[],
    reader: ImportRowReader,
  ): Promise<Outcome> {
    const refused: RefusedRow[] = [];
    const leads: NewLead[] = [];
    const sources: ImportRow[] = [];
    for (const row of rows) {
      const read = reader.read(row.cells);
      if ('lead' in read) {
        leads.push(read.lead);
        sources.push(row);
      } else refused.push(createRefusal(row, read.reason, read.detail));
    }
    const campaignId = record.campaignId.toHexString();
    const inserted = await this.insertion.insert(workspace, campaignId, leads, {
      importId: record._id,
      verify: record.verify,
    });
    refused.push(...listSkipped(inserted).map(([skipped, reason]) => toRefusedRow(sources, skipped, reason)));
    return { created: inserted.created, refused: refused.sort((one, other) => one.row - other.row) };
  }

  /** Schedules sending after the transaction that inserted the leads. */
  async #scheduleSending({ workspace, record }: ImportAt): Promise<void> {
    await this.insertion.scheduleSending(
      workspace,
      await this.campaigns.find(workspace, record.campaignId.toHexString()),
    );
  }
}

function getEnd(rows: readonly ImportRow[], end: ImportPosition): ImportPosition {
  const last = rows.at(-1);
  return last ? { offset: last.end, row: last.row } : end;
}

function listSkipped({ duplicates, suppressed, invalid }: InsertedLeads): [SkippedLead, RefusalReason][] {
  return [
    ...duplicates.map((lead) => [lead, 'duplicate'] as [SkippedLead, RefusalReason]),
    ...suppressed.map((lead) => [lead, 'suppressed'] as [SkippedLead, RefusalReason]),
    ...invalid.map((lead) => [lead, 'invalid_address'] as [SkippedLead, RefusalReason]),
  ];
}

function toRefusedRow(sources: readonly ImportRow[], skipped: SkippedLead, refused: RefusalReason): RefusedRow {
  const { index, reason, detail = DETAILS[reason] ?? '' } = skipped;
  const source = sources[index];
  if (!source) throw new Error(`There is no row for lead ${index}`);
  return createRefusal(source, refused, detail);
}

function createRefusal({ row, cells }: ImportRow, reason: RefusalReason, detail: string): RefusedRow {
  return { row, reason, detail, cells: [...cells] };
}

/** The counter increments of a batch; none for a batch of blank rows. */
function toIncrements(rows: number, { created, refused }: Outcome): { $inc?: Record<string, number> } {
  if (rows === 0) return {};
  const counts: Record<string, number> = { rows, created };
  for (const { reason } of refused) counts[COUNT_OF[reason]] = (counts[COUNT_OF[reason]] ?? 0) + 1;
  const $inc = Object.fromEntries(Object.entries(counts).map(([name, count]) => [`counts.${name}`, count]));
  return { $inc };
}
