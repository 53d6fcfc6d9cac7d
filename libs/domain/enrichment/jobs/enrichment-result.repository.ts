import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService } from '@platform/database';
import { stringify } from 'csv-stringify';
import { type Model } from 'mongoose';
import { type EnrichmentExportQuery, type EnrichmentResultQuery } from '../dto/enrichment-job-requests.dto';
import { type EnrichmentResultResponse, toEnrichmentResult } from '../dto/enrichment-result.dto';
import { EnrichmentItemRecord } from '../schemas/enrichment-item.record';
import { type EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { CREDITS_PER_ITEM } from './job-price';

/** Number of results that the export reads at once. */
const BATCH = 500;
/** Fields that no result contains. */
const UNSHOWN = ['workspaceId', 'jobId', 'address', 'dueAt', 'claim', 'claims', 'attempts', 'handed', 'erased'];

type Job = Pick<EnrichmentJobRecord, '_id' | 'workspaceId'>;

/** Columns of the export. Further details are one column with JSON, because their names are unlimited. */
const COLUMNS: Record<string, (result: EnrichmentResultResponse) => string | number | null> = {
  email: ({ email }) => email,
  leadId: ({ leadId }) => leadId,
  result: ({ result }) => result,
  reasons: ({ reasons }) => reasons.join(' '),
  creditsUsed: ({ creditsUsed }) => creditsUsed,
  checkedAt: ({ checkedAt }) => checkedAt,
  detail: ({ detail }) => JSON.stringify(detail),
};

/** Results of jobs, in the order of the addresses. */
@Injectable()
export class EnrichmentResultRepository {
  constructor(
    @InjectModel(EnrichmentItemRecord.name) private readonly items: Model<EnrichmentItemRecord>,
    private readonly pages: PageService,
  ) {}

  async page(job: Job, { limit, cursor, result }: EnrichmentResultQuery): Promise<Page<EnrichmentResultResponse>> {
    const scope = job.workspaceId.toHexString();
    const query = {
      scope,
      filter: toFilter(job, result),
      order: 'oldest',
      without: UNSHOWN,
      page: { limit, cursor },
    } as const;
    return this.pages.read(this.items, query, toResult);
  }

  /** Number of results of each kind. */
  async kinds({ _id: jobId, workspaceId }: Job): Promise<Record<string, number>> {
    const found = await this.items.aggregate<{ _id: string; count: number }>([
      { $match: { workspaceId, jobId, open: false } },
      { $group: { _id: '$result', count: { $sum: 1 } } },
    ]);
    const byName = found.toSorted((a, b) => a._id.localeCompare(b._id));
    return Object.fromEntries(byName.map(({ _id, count }) => [_id, count]));
  }

  /**
   * Streams CSV (RFC 4180, UTF-8, header first) at the speed of the reader. Cells that a spreadsheet would read as a
   * formula get an apostrophe.
   */
  csv(job: Job, { result }: EnrichmentExportQuery): Readable {
    const csv = stringify({
      header: true,
      columns: Object.keys(COLUMNS),
      escape_formulas: true,
      record_delimiter: 'windows',
    });
    return Readable.from(this.#rows(toFilter(job, result))).compose(csv) as Readable;
  }

  /** Reads by key, so that a slow reader keeps no cursor open. */
  async *#rows(filter: Record<string, unknown>): AsyncGenerator<(string | number | null)[]> {
    let last: EnrichmentItemRecord | undefined;
    do {
      // All items of a job have the same creation time: their ids alone determine the order.
      const batch: EnrichmentItemRecord[] = await this.items
        .find(last ? { ...filter, createdAt: last.createdAt, _id: { $gt: last._id } } : filter)
        .sort({ createdAt: 1, _id: 1 })
        .limit(BATCH)
        .lean<EnrichmentItemRecord[]>();
      for (const item of batch) yield Object.values(COLUMNS).map((read) => read(toResult(item)));
      last = batch.length < BATCH ? undefined : batch.at(-1);
    } while (last);
  }
}

function toResult(item: EnrichmentItemRecord): EnrichmentResultResponse {
  return toEnrichmentResult(item, CREDITS_PER_ITEM);
}

function toFilter({ _id: jobId, workspaceId }: Job, result: string | undefined): Record<string, unknown> {
  return { workspaceId, jobId, ...(result === undefined ? { open: false } : { result }) };
}
