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

/** Results that are in memory at once. */
const BATCH = 500;
/** Fields that no result shows. */
const UNSHOWN = ['workspaceId', 'jobId', 'address', 'dueAt', 'claim', 'claims', 'attempts', 'handed', 'erased'];

type Job = Pick<EnrichmentJobRecord, '_id' | 'workspaceId'>;

/** Columns and how they are read. What else was found out is one column, as JSON: there is no end of names. */
const COLUMNS: Record<string, (result: EnrichmentResultResponse) => string | number | null> = {
  email: ({ email }) => email,
  leadId: ({ leadId }) => leadId,
  result: ({ result }) => result,
  reasons: ({ reasons }) => reasons.join(' '),
  creditsUsed: ({ creditsUsed }) => creditsUsed,
  checkedAt: ({ checkedAt }) => checkedAt,
  detail: ({ detail }) => JSON.stringify(detail),
};

/** What jobs found out, so far or in the end, in the order in which the addresses were given. */
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
      filter: filterOf(job, result),
      order: 'oldest',
      without: UNSHOWN,
      page: { limit, cursor },
    } as const;
    return this.pages.read(this.items, query, toResult);
  }

  /** How many there are of each kind. */
  async kinds({ _id: jobId, workspaceId }: Job): Promise<Record<string, number>> {
    const found = await this.items.aggregate<{ _id: string; count: number }>([
      { $match: { workspaceId, jobId, open: false } },
      { $group: { _id: '$result', count: { $sum: 1 } } },
    ]);
    const byName = found.toSorted((a, b) => a._id.localeCompare(b._id));
    return Object.fromEntries(byName.map(({ _id, count }) => [_id, count]));
  }

  /**
   * A stream of CSV (RFC 4180, UTF-8, header first), read from the database as fast as it is taken. A cell that a spreadsheet would
   * take for a formula begins with an apostrophe.
   */
  csv(job: Job, { result }: EnrichmentExportQuery): Readable {
    const csv = stringify({
      header: true,
      columns: Object.keys(COLUMNS),
      escape_formulas: true,
      record_delimiter: 'windows',
    });
    return Readable.from(this.#rows(filterOf(job, result))).compose(csv) as Readable;
  }

  /** By key, as the pages: a slow reader holds nothing open in the database. */
  async *#rows(filter: Record<string, unknown>): AsyncGenerator<(string | number | null)[]> {
    let last: EnrichmentItemRecord | undefined;
    do {
      // All items of a job were made at the same moment: their ids alone are their order.
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

function filterOf({ _id: jobId, workspaceId }: Job, result: string | undefined): Record<string, unknown> {
  return { workspaceId, jobId, ...(result === undefined ? { open: false } : { result }) };
}
