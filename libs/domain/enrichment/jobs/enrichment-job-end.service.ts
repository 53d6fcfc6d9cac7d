import { systemScope } from '@domain/access';
import { CreditReservationsService } from '@domain/credits';
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
    private readonly reservations: CreditReservationsService,
    private readonly events: EventsService,
    private readonly items: EnrichmentItemRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** All its items are over; in the transaction that ended the last one. */
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

  /** It cannot go on; what was found out stays, and is paid for. Without effect on one that is over. */
  async fail({ _id, workspaceId }: Pick<EnrichmentJobRecord, '_id' | 'workspaceId'>, error: JobProblem): Promise<void> {
    await this.transactions.run(async () => {
      const job = await this.jobs.findOne({ _id, workspaceId, open: true }).lean<EnrichmentJobRecord>();
      if (job) await this.#end(job, { status: 'failed', error });
    });
  }

  /** In a transaction that has read it as open. */
  async cancel(job: EnrichmentJobRecord): Promise<EnrichmentJobRecord> {
    return this.#end(job, { status: 'cancelled', error: null });
  }

  /** The job is gone, with what it found out; in a transaction that has read it. What was done is paid for. */
  async remove(job: EnrichmentJobRecord): Promise<void> {
    const { _id, workspaceId } = job;
    if (job.open) await this.#end(job, { status: 'cancelled', error: null });
    await this.jobs.deleteOne({ _id, workspaceId });
    await this.items.detach(workspaceId.toHexString(), _id);
  }

  /** One that is still open is paid for first. One that fails keeps no other; it is found again the next time. */
  async removeExpired(signal: AbortSignal): Promise<void> {
    const expired = this.jobs
      .find({ createdAt: { $lte: this.clock.in(-RETENTION_MS) } }, { workspaceId: 1 })
      .setOptions({ allWorkspaces: 'the worker clears up after the jobs of all workspaces' })
      .sort({ createdAt: 1 })
      .lean<Expired[]>()
      .cursor();
    for await (const job of expired as AsyncIterable<Expired>) {
      signal.throwIfAborted();
      await this.#removeJob(job).catch((error: unknown) => this.log.error('An expired enrichment job stayed', error));
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

  /** Takes what was used of what was reserved, and gives the rest back. */
  async #pay({ _id, workspaceId, creditsUsed }: EnrichmentJobRecord): Promise<void> {
    const workspace = systemScope(workspaceId.toHexString());
    try {
      await this.reservations.settle(workspace, getOperation(_id), creditsUsed);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CONFLICT') throw error;
      // No worker ran for weeks, and the reservation ran out: a job that could never end would be worse than one that was free.
      this.log.warn('An enrichment job could not be paid for: its reservation had been released', {
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
