import { systemScope } from '@domain/access';
import { CreditsService } from '@domain/credits';
import { EventsService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService, writeConflict } from '@platform/database';
import { AppError } from '@platform/errors';
import { LogService } from '@platform/observability';
import { type Model } from 'mongoose';
import { EnrichmentItemRepository } from '../runs/enrichment-item.repository';
import { EnrichmentJobRecord, type JobProblem } from '../schemas/enrichment-job.record';
import { getOperation, RETENTION_MS } from './job-price';

type Ended = Pick<EnrichmentJobRecord, 'status' | 'error'>;

type Expired = Pick<EnrichmentJobRecord, '_id' | 'workspaceId'>;

/** Ends of jobs: completed, failed, cancelled, deleted or expired. Each settles the reserved credits once. */
@Injectable()
export class EnrichmentJobEndService {
  constructor(
    @InjectModel(EnrichmentJobRecord.name) private readonly jobs: Model<EnrichmentJobRecord>,
    private readonly reservations: CreditsService,
    private readonly events: EventsService,
    private readonly items: EnrichmentItemRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** Completes a job, in the transaction that ended its last item. */
  async complete(job: EnrichmentJobRecord): Promise<void> {
    const { _id, workspaceId, code, type, totalItems, successCount, failedCount, creditsUsed } = job;
    await this.#end(job, { status: 'completed', error: null });
    await this.events.record(systemScope(workspaceId.toHexString()), {
      type: 'enrichment.completed',
      dedupeKey: `enrichment.completed:${_id.toHexString()}`,
      about: job.campaignId ? { campaignId: job.campaignId.toHexString() } : {},
      data: { jobId: code, type, totalItems, successCount, failedCount, creditsUsed },
    });
  }

  /** Fails a job; its results remain and are charged. Without effect on an ended job. */
  async fail({ _id, workspaceId }: Pick<EnrichmentJobRecord, '_id' | 'workspaceId'>, error: JobProblem): Promise<void> {
    await this.transactions.run(async () => {
      const job = await this.jobs.findOne({ _id, workspaceId, open: true }).lean<EnrichmentJobRecord>();
      if (job) await this.#end(job, { status: 'failed', error });
    });
  }

  /** Call it in the transaction that has read the job as open. */
  async cancel(job: EnrichmentJobRecord): Promise<EnrichmentJobRecord> {
    return this.#end(job, { status: 'cancelled', error: null });
  }

  /** Deletes a job with its results, in the transaction that has read it. Charges the results so far. */
  async remove(job: EnrichmentJobRecord): Promise<void> {
    const { _id, workspaceId } = job;
    if (job.open) await this.#end(job, { status: 'cancelled', error: null });
    await this.jobs.deleteOne({ _id, workspaceId });
    await this.items.detach(workspaceId.toHexString(), _id);
  }

  /**
   * Deletes the jobs whose retention has ended; open ones are charged first. An error does not affect other jobs: the
   * next run retries.
   */
  async removeExpired(signal: AbortSignal): Promise<void> {
    const expired = this.jobs
      .find({ createdAt: { $lte: this.clock.in(-RETENTION_MS) } }, { workspaceId: 1 })
      .setOptions({ allWorkspaces: 'the worker deletes the expired jobs of all workspaces' })
      .sort({ createdAt: 1 })
      .lean<Expired[]>()
      .cursor();
    for await (const job of expired as AsyncIterable<Expired>) {
      signal.throwIfAborted();
      await this.#removeJob(job).catch((error: unknown) =>
        this.log.error('An expired enrichment job could not be deleted', error),
      );
    }
    await this.items.removeStaged(signal);
  }

  async #end(job: EnrichmentJobRecord, ended: Ended): Promise<EnrichmentJobRecord> {
    const { _id, workspaceId } = job;
    const after = await this.jobs
      .findOneAndUpdate(
        { _id, workspaceId, open: true },
        { $set: { ...ended, open: false, completedAt: this.clock.now() }, $unset: { nextAt: 1 } },
        { returnDocument: 'after' },
      )
      .lean<EnrichmentJobRecord>();
    if (!after) throw writeConflict('The enrichment job');
    await this.#pay(after);
    return after;
  }

  /** Charges the used credits and releases the others. */
  async #pay({ _id, workspaceId, creditsUsed }: EnrichmentJobRecord): Promise<void> {
    const workspace = systemScope(workspaceId.toHexString());
    try {
      await this.reservations.settle(workspace, getOperation(_id), creditsUsed);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
      // The reservation expired while no worker ran for weeks. Ending the job free of charge is better than never
      // ending it.
      this.log.warn('An enrichment job could not be charged: its reservation had expired', {
        jobId: _id.toHexString(),
        creditsUsed,
      });
    }
  }

  async #removeJob({ _id, workspaceId }: Expired): Promise<void> {
    await this.transactions.run(async () => {
      const job = await this.jobs.findOne({ _id, workspaceId }).lean<EnrichmentJobRecord>();
      if (job) await this.remove(job);
    });
  }
}
