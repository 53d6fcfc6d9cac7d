import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId, TransactionService, writeConflict } from '@platform/database';
import { type AnyBulkWriteOperation, type Model } from 'mongoose';
import { type FinalOutcome } from '../item-handlers/item-handler';
import { EnrichmentJobEndService } from '../jobs/enrichment-job-end.service';
import { CREDITS_PER_ITEM } from '../jobs/job-price';
import { EnrichmentItemRecord, FAILED } from '../schemas/enrichment-item.record';
import { EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { type Claim } from './enrichment-item.repository';
import { type Settlement, toEndedItem } from './outcome-decision';

type Named = Pick<EnrichmentJobRecord, '_id' | 'workspaceId'>;
type Settled = readonly [EnrichmentItemRecord, Settlement];

/**
 * Settles items: each ends once, and is counted in the same transaction; the last one completes its job. Results for
 * ended items or jobs are dropped, and neither counted nor charged.
 */
@Injectable()
export class EnrichmentItemsService {
  constructor(
    @InjectModel(EnrichmentJobRecord.name) private readonly jobs: Model<EnrichmentJobRecord>,
    @InjectModel(EnrichmentItemRecord.name) private readonly items: Model<EnrichmentItemRecord>,
    private readonly ends: EnrichmentJobEndService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Settles an item with the callback of a tool. Repeatable.
   * @returns false when the item or its job has ended or was deleted: nothing changes then
   */
  async settle(workspaceId: string, jobId: string, itemId: string, outcome: FinalOutcome): Promise<boolean> {
    const [job, item, workspace] = [parseId(jobId), parseId(itemId), parseId(workspaceId)];
    if (!job || !item || !workspace) return false;
    const written = await this.#write({ _id: job, workspaceId: workspace }, { _id: item }, ({ erased }) =>
      toEndedItem(erased === true ? { kind: 'failed', reason: 'erased' } : outcome, this.clock.now()),
    );
    return written === 1;
  }

  /**
   * Settles the items of a claim, without those that the worker has lost meanwhile.
   * @param settlement the settlement of a current item; null leaves the item to others
   * @returns the number of settled items
   */
  async write(
    job: Named,
    { claim, items }: Claim,
    settlement: (item: EnrichmentItemRecord) => Settlement | null,
  ): Promise<number> {
    if (items.length === 0) return 0;
    return this.#write(job, { _id: { $in: items.map(({ _id }) => _id) }, claim }, settlement);
  }

  async #write(
    { _id: jobId, workspaceId }: Named,
    which: Record<string, unknown>,
    settlement: (item: EnrichmentItemRecord) => Settlement | null,
  ): Promise<number> {
    return this.transactions.run(async () => {
      const still = await this.items.find({ workspaceId, jobId, open: true, ...which }).lean<EnrichmentItemRecord[]>();
      const settled = still.flatMap((item): Settled[] => {
        const decided = settlement(item);
        return decided ? [[item, decided]] : [];
      });
      if (settled.length === 0) return 0;
      const job = await this.#count({ _id: jobId, workspaceId }, settled);
      if (!job) return 0;
      const { modifiedCount } = await this.items.bulkWrite(settled.map(([item, decided]) => toUpdate(item, decided)));
      if (modifiedCount !== settled.length) throw writeConflict('An item');
      if (job.processedItems === job.totalItems) await this.ends.complete(job);
      return settled.length;
    });
  }

  /** Null when the job has ended or was deleted. */
  async #count({ _id, workspaceId }: Named, settled: readonly Settled[]): Promise<EnrichmentJobRecord | null> {
    const ended = settled.flatMap(([, decided]) => (decided.kind === 'over' ? [decided] : []));
    const failed = ended.filter(({ result }) => result === FAILED).length;
    const dates = settled.flatMap(([, decided]) => (decided.kind === 'again' ? [decided.at.getTime()] : []));
    return this.jobs
      .findOneAndUpdate(
        { _id, workspaceId, open: true },
        {
          $inc: {
            processedItems: ended.length,
            successCount: ended.length - failed,
            failedCount: failed,
            creditsUsed: ended.filter(({ charged }) => charged).length * CREDITS_PER_ITEM,
            revision: 1,
          },
          ...(dates.length > 0 && { $min: { nextAt: new Date(Math.min(...dates)) } }),
        },
        { returnDocument: 'after' },
      )
      .lean<EnrichmentJobRecord>();
  }
}

function toUpdate(item: EnrichmentItemRecord, decided: Settlement): AnyBulkWriteOperation<EnrichmentItemRecord> {
  const { _id, workspaceId, jobId } = item;
  const filter = { _id, workspaceId, jobId, open: true };
  if (decided.kind === 'over') {
    const { result, reasons, charged, detail, checkedAt } = decided;
    const found = { open: false, result, reasons: [...reasons], charged, detail, checkedAt };
    return { updateOne: { filter, update: { $set: found, $unset: { dueAt: 1, claim: 1, handed: 1 } } } };
  }
  const { at, attempts, handed, untaken } = decided;
  const planned = { dueAt: at, attempts, ...(handed && { handed }) };
  const uncounted = untaken && { $inc: { claims: -1 } };
  return { updateOne: { filter, update: { $set: planned, $unset: { claim: 1 }, ...uncounted } } };
}
