import { WorkspaceEntryRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type ItemHandler, type ItemOutcome, WorkImpossibleError, type WorkItem } from '../item-handlers/item-handler';
import { ItemHandlerRegistry } from '../item-handlers/item-handler.registry';
import { EnrichmentJobEndService } from '../jobs/enrichment-job-end.service';
import { type EnrichmentItemRecord } from '../schemas/enrichment-item.record';
import { type EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { type Claim, EnrichmentItemRepository } from './enrichment-item.repository';
import { EnrichmentItemsService } from './enrichment-items.service';
import { type WorkPartitionLease } from './enrichment-partition-lease';
import { EnrichmentWorkPartitionService } from './enrichment-work-partition.service';
import { type RunEnrichmentPartition } from './enrichment-work.queue';
import { getEndWithoutRun, getSettlement } from './outcome-decision';

/** A lane is held for so long, renewed several times in that time: what a worker had that dies is late by so much. */
const LEASE_MS = 20_000;

const RENEW_MS = 5_000;

/** Then other workspaces have their turn, in case many wait. */
const RUN_MS = 10_000;

/** A turn that failed is not repeated at once, lest it fail again and again. */
const FAILED_MS = 10_000;

/** How soon is looked again whether a workspace that was deleted is there again. */
const DELETED_MS = 600_000;

/** The work is told to stop after so long: what it has not done by then is taken up again. */
const CHUNK_MS = 60_000;

/** Items of a worker that died are due again after so long: longer than a chunk takes with what is written of it. */
const CLAIM_MS = 90_000;

type Outcomes = ReadonlyMap<string, ItemOutcome>;

const NOTHING: Outcomes = new Map();

/** Does the jobs of a workspace, chunk by chunk, each job in its turn: one with ten items does not wait for one with 50 000. */
@Injectable()
export class EnrichmentWorkerService {
  constructor(
    private readonly partitions: EnrichmentWorkPartitionService,
    private readonly repository: EnrichmentItemRepository,
    private readonly workspaces: WorkspaceEntryRepository,
    private readonly handlers: ItemHandlerRegistry,
    private readonly items: EnrichmentItemsService,
    private readonly ends: EnrichmentJobEndService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** Without effect while another worker has the lease. `signal` ends what is under way; it is taken up again by others. */
  async run({ laneId }: RunEnrichmentPartition, signal: AbortSignal): Promise<void> {
    const lease = await this.partitions.acquire(laneId, LEASE_MS);
    if (!lease) return;
    const { workspaceId } = lease;
    if (!(await this.workspaces.alive([workspaceId])).has(workspaceId)) {
      // It may be restored; its jobs go on then.
      await this.partitions.complete(lease, this.clock.in(DELETED_MS));
      return;
    }
    try {
      await this.#runJobs(lease, signal);
    } catch (error) {
      await this.partitions.complete(lease, this.clock.in(FAILED_MS));
      throw error;
    }
    await this.partitions.complete(lease, await this.repository.getNextRunAt(workspaceId));
  }

  /** A job whose work is impossible has failed then. When `signal` says so, what is not done is put down at once. */
  async #runChunk(job: EnrichmentJobRecord, signal: AbortSignal): Promise<void> {
    const work = this.handlers.get(job.type);
    const restsUntil = (await work.cooldownUntil?.(job.workspaceId.toHexString())) ?? null;
    if (restsUntil && restsUntil > this.clock.now()) return this.repository.postpone(job, restsUntil);
    const claim = await this.repository.claim(job, work.chunk, CLAIM_MS);
    if (claim.items.length === 0) return;
    try {
      const outcomes = await this.#carryOut(job, work, claim, signal);
      await this.#write(job, work, claim, outcomes, signal);
    } catch (error) {
      if (!(error instanceof WorkImpossibleError)) throw error;
      await this.ends.fail(job, { code: error.code, message: error.message });
    }
  }

  async #runJobs(lease: WorkPartitionLease, signal: AbortSignal): Promise<void> {
    const until = performance.now() + RUN_MS;
    let isLost = false;
    const isOver = () => isLost || signal.aborted || performance.now() > until;
    const renewing = setInterval(() => {
      void this.partitions
        .renew(lease, LEASE_MS)
        .catch(() => false)
        .then((isHeld) => (isLost ||= !isHeld));
    }, RENEW_MS);
    try {
      while (!isOver()) {
        const job = await this.repository.findNextJob(lease.workspaceId);
        if (!job) return;
        await this.#runChunk(job, signal);
      }
    } finally {
      clearInterval(renewing);
    }
  }

  async #carryOut(job: EnrichmentJobRecord, work: ItemHandler, claim: Claim, signal: AbortSignal): Promise<Outcomes> {
    const asked = claim.items.filter((item) => this.#unasked(work, item) === null);
    if (asked.length === 0) return NOTHING;
    const { _id, workspaceId, code, type, campaignId, expiresAt } = job;
    const atWork = { _id, workspaceId, code, type, campaignId, expiresAt };
    const stop = AbortSignal.any([signal, AbortSignal.timeout(CHUNK_MS)]);
    try {
      return await work.run(asked.map(toWorkItem), atWork, stop);
    } catch (error) {
      if (error instanceof WorkImpossibleError) throw error;
      if (!stop.aborted) this.log.error(`The work of an enrichment job failed: ${type}`, error);
      return NOTHING;
    }
  }

  async #write(
    job: EnrichmentJobRecord,
    work: ItemHandler,
    claim: Claim,
    outcomes: Outcomes,
    signal: AbortSignal,
  ): Promise<void> {
    await this.items.write(job, claim, (item) => {
      const outcome = outcomes.get(item._id.toHexString());
      // This worker is going: it is not the item's fault that nothing was said of it.
      if (outcome === undefined && signal.aborted && item.erased !== true) return null;
      const now = this.clock.now();
      const outOfTime = () => work.onExpired(toWorkItem(item), now);
      const times = { now, createdAt: job.createdAt, expiresAt: job.expiresAt };
      return getEndWithoutRun(item, now, outOfTime) ?? getSettlement(item, outcome, times, outOfTime);
    });
    if (signal.aborted) await this.repository.release(job, claim);
  }

  #unasked(work: ItemHandler, item: EnrichmentItemRecord) {
    const now = this.clock.now();
    return getEndWithoutRun(item, now, () => work.onExpired(toWorkItem(item), now));
  }
}

function toWorkItem({ _id, workspaceId, jobId, email, leadId, attempts, createdAt }: EnrichmentItemRecord): WorkItem {
  return { _id, workspaceId, jobId, email, leadId, attempts, createdAt };
}
