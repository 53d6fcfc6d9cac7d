import { systemScope, type WorkspaceScope } from '@domain/access';
import { CampaignRepository } from '@domain/campaigns';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Lease, LeaseService, parseId, TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { type Sweep } from '@platform/queues';
import { type Model } from 'mongoose';
import { type InsertedLeads, LeadInsertionService } from '../lead-insertion.service';
import { type NewLead, type SkippedLead, type SkipReason } from '../lead-rows';
import { getBatches, type ImportBatch, type ImportRow } from './import-batches';
import { COUNT_OF } from './import-counts';
import { ImportRowReader, type RefusalReason } from './import-row-reader';
import { fileMissing, findFinalProblem, ImportSupersededError, stuck } from './lead-import.errors';
import { type ImportLeads, LeadImportQueue } from './lead-import.queue';
import { LeadImportRepository } from './lead-import.repository';
import { readAhead } from './read-ahead';
import { LeadImportRefusalRecord, type RefusedRow } from './schemas/lead-import-refusal.record';
import { type ImportPosition, LeadImportRecord } from './schemas/lead-import.record';

/** Milliseconds until another worker may continue after a crash; the lease is renewed several times in them. */
const LEASE_MS = 60_000;

const RENEW_AFTER_MS = 15_000;

/** Maximum number of consecutive runs without a processed row. */
const MAX_ATTEMPTS = 20;

/** An import with the position of its next row. */
export interface ImportAt {
  readonly record: LeadImportRecord;
  readonly workspace: WorkspaceScope;
  readonly position: ImportPosition;
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
    @InjectModel(LeadImportRecord.name) private readonly imports: Model<LeadImportRecord>,
    @InjectModel(LeadImportRefusalRecord.name) private readonly refusals: Model<LeadImportRefusalRecord>,
    private readonly repository: LeadImportRepository,
    private readonly queue: LeadImportQueue,
    private readonly leases: LeaseService,
    private readonly workspaces: WorkspaceRepository,
    private readonly insertion: LeadInsertionService,
    private readonly campaigns: CampaignRepository,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Continues an import from its position to its end. Without effect for an ended import, and while another worker runs
   * it.
   * @param signal stops the import between two batches
   */
  async run({ workspaceId, importId }: ImportLeads, signal: AbortSignal): Promise<void> {
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) return;
    const lease = await this.leases.acquire(`lead-import-${importId}`, LEASE_MS);
    if (!lease) return;
    try {
      const record = await this.repository.begin(workspaceId, parseId(importId));
      if (record) await this.#finish(record, lease, signal);
    } finally {
      await this.leases.release(lease);
    }
  }

  /** Schedules each open import that has no job, and removes abandoned files. @returns the number of scheduled jobs */
  async sweep(): Promise<number> {
    await this.repository.removeAbandonedFiles();
    const open = await this.repository.listOpen();
    const alive = await this.workspaces.filterAlive(open.map(({ workspaceId }) => workspaceId));
    let created = 0;
    for (const payload of open) {
      if (alive.has(payload.workspaceId) && (await this.queue.planIfMissing(payload))) created += 1;
    }
    return created;
  }

  /**
   * @returns whether the workspace is full: then `#refuseBatch` processes the remaining rows
   * @throws ImportSupersededError; NOT_FOUND and CONFLICT when the campaign accepts no more leads
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
    const secondHalf = { ...at, position: middle };
    const second = { rows: batch.rows.slice(half), end: batch.end };
    if (!full) return this.#insertBatch(secondHalf, second, reader);
    await this.#refuseBatch(secondHalf, second);
    return true;
  }

  /** Counts and stores rows that exceed the limit. @throws ImportSupersededError */
  async #refuseBatch(at: ImportAt, batch: ImportBatch): Promise<void> {
    const refused = batch.rows.map((row) => createRefusal(row, 'over_limit', OVER_LIMIT));
    await this.#commit(at, batch, async () => ({ created: 0, refused }));
  }

  async #finish(record: LeadImportRecord, lease: Lease, signal: AbortSignal): Promise<void> {
    try {
      if (record.attempts > MAX_ATTEMPTS) throw stuck(MAX_ATTEMPTS);
      await this.#read(record, lease, signal);
      await this.repository.complete(record);
    } catch (error) {
      if (error instanceof ImportSupersededError) return;
      const problem = findFinalProblem(error);
      if (!problem) throw error;
      await this.repository.fail(record, problem);
    }
    await this.repository.removeFile({ workspaceId: record.workspaceId, importId: record._id });
  }

  /** @throws ImportSupersededError when the import was cancelled or another worker continues it */
  async #read(record: LeadImportRecord, lease: Lease, signal: AbortSignal): Promise<void> {
    const { _id: importId, workspaceId, delimiter, encoding, columns, bytes } = record;
    const reader = new ImportRowReader(columns);
    const text = encoding === 'windows-1252' ? encoding : 'utf-8';
    const parts = this.repository.readChunks({ workspaceId, importId }, record.position.offset);
    const workspace = systemScope(workspaceId.toHexString());
    let { position } = record;
    let full = false;
    let renewedAt = performance.now();
    for await (const batch of readAhead(getBatches(parts, position, { delimiter, text }))) {
      signal.throwIfAborted();
      if (performance.now() - renewedAt > RENEW_AFTER_MS) {
        if (!(await this.leases.renew(lease, LEASE_MS))) throw new ImportSupersededError('The lease was lost');
        renewedAt = performance.now();
      }
      const at: ImportAt = { record, workspace, position };
      if (full) await this.#refuseBatch(at, batch);
      else full = await this.#insertBatch(at, batch, reader);
      position = batch.end;
    }
    if (position.offset < bytes) throw fileMissing();
  }

  async #commit({ record, position }: ImportAt, batch: ImportBatch, work: () => Promise<Outcome>): Promise<Outcome> {
    const { _id, workspaceId, expiresAt } = record;
    return this.transactions.run(async () => {
      const outcome = await work();
      const { matchedCount } = await this.imports.updateOne(
        { _id, workspaceId, status: 'processing', 'position.offset': position.offset, 'position.row': position.row },
        { $set: { position: batch.end, attempts: 0 }, ...toIncrements(batch.rows.length, outcome) },
      );
      if (matchedCount !== 1)
        throw new ImportSupersededError('The import was cancelled, or another worker continues it');
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
