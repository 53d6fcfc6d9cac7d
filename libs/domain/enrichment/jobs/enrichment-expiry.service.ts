import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { type Model } from 'mongoose';
import { EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { EnrichmentJobEndService } from './enrichment-job-end.service';
import { RETENTION_MS } from './job-price';
import { LooseItemsRepository } from '../runs/loose-items.repository';

type Expired = Pick<EnrichmentJobRecord, '_id' | 'workspaceId'>;

/** Removes jobs whose seven days are over, with all that they found out. */
@Injectable()
export class EnrichmentExpiryService {
  constructor(
    @InjectModel(EnrichmentJobRecord.name) private readonly jobs: Model<EnrichmentJobRecord>,
    private readonly ends: EnrichmentJobEndService,
    private readonly looseItems: LooseItemsRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** One that is still open is paid for first. One that fails keeps no other; it is found again the next time. */
  async clear(signal: AbortSignal): Promise<void> {
    const expired = this.jobs
      .find({ createdAt: { $lte: this.clock.in(-RETENTION_MS) } }, { workspaceId: 1 })
      .setOptions({ allWorkspaces: 'the worker clears up after the jobs of all workspaces' })
      .sort({ createdAt: 1 })
      .lean<Expired[]>()
      .cursor();
    for await (const job of expired as AsyncIterable<Expired>) {
      signal.throwIfAborted();
      await this.#remove(job).catch((error: unknown) => this.log.error('An expired enrichment job stayed', error));
    }
    await this.looseItems.clear(signal);
  }

  async #remove({ _id, workspaceId }: Expired): Promise<void> {
    await this.transactions.run(async () => {
      const job = await this.jobs.findOne({ _id, workspaceId }).lean<EnrichmentJobRecord>();
      if (job) await this.ends.remove(job);
    });
  }
}
