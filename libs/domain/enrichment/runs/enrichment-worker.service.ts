import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { HookRegistry } from '@platform/hooks';
import { LogService } from '@platform/observability';
import { type RunWorkPartition } from '@platform/work-partitions';
import { type ItemHandler, type ItemOutcome, type WorkItem } from '../item-handlers/item-handler';
import { WorkImpossibleError } from '../item-handlers/item-handler.errors';
import { ITEM_HANDLERS } from '../item-handlers/item-handler';
import { EnrichmentJobEndService } from '../jobs/enrichment-job-end.service';
import { type EnrichmentItemRecord } from '../schemas/enrichment-item.record';
import { type EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { type Claim, EnrichmentItemRepository } from './enrichment-item.repository';
import { EnrichmentItemsService } from './enrichment-items.service';
import { EnrichmentWorkPartitionService } from './enrichment-work-partition.service';
import { getEndWithoutRun, getSettlement } from './outcome-decision';

/** Milliseconds after which other workspaces get the worker. */
const RUN_MS = 10_000;

/** Milliseconds before a deleted workspace is checked again: it may be restored. */
const DELETED_MS = 600_000;

/** Milliseconds after which the handler is aborted; its remaining items are retried. */
const CHUNK_MS = 60_000;

/** Milliseconds after which the items of a crashed worker are due again: longer than a run with its writes. */
const CLAIM_MS = 90_000;

type Outcomes = ReadonlyMap<string, ItemOutcome>;

const NOTHING: Outcomes = new Map();

/** Runs the jobs of a workspace in chunks, in rotation, so that a small job does not wait for a large one. */
@Injectable()
export class EnrichmentWorkerService {
  constructor(
    private readonly partitions: EnrichmentWorkPartitionService,
    private readonly repository: EnrichmentItemRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly hooks: HookRegistry,
    private readonly items: EnrichmentItemsService,
    private readonly ends: EnrichmentJobEndService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** Without effect while another worker holds the lease. `stopping` ends the run; other workers continue. */
  async run({ partitionId }: RunWorkPartition, stopping: AbortSignal): Promise<void> {
    await this.partitions.run(partitionId, stopping, async ({ workspaceId }, signal) => {
      // The workspace may be restored; its jobs continue then.
      if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) return this.clock.in(DELETED_MS);
      await this.#runJobs(workspaceId, signal);
      return this.repository.getNextRunAt(workspaceId);
    });
  }

  /**
   * Processes one chunk; fails the job when its work is impossible. After an abort, unprocessed items are released at
   * once.
   */
  async #runChunk(job: EnrichmentJobRecord, signal: AbortSignal): Promise<void> {
    const work = this.hooks.get(ITEM_HANDLERS, job.type);
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

  async #runJobs(workspaceId: string, signal: AbortSignal): Promise<void> {
    const until = performance.now() + RUN_MS;
    while (!signal.aborted && performance.now() < until) {
      const job = await this.repository.findNextJob(workspaceId);
      if (!job) return;
      await this.#runChunk(job, signal);
    }
  }

  async #carryOut(job: EnrichmentJobRecord, work: ItemHandler, claim: Claim, signal: AbortSignal): Promise<Outcomes> {
    const runnable = claim.items.filter((item) => this.#unasked(work, item) === null);
    if (runnable.length === 0) return NOTHING;
    const { _id, workspaceId, code, type, campaignId, expiresAt } = job;
    const atWork = { _id, workspaceId, code, type, campaignId, expiresAt };
    const stop = AbortSignal.any([signal, AbortSignal.timeout(CHUNK_MS)]);
    try {
      return await work.run(runnable.map(toWorkItem), atWork, stop);
    } catch (error) {
      if (error instanceof WorkImpossibleError) throw error;
      if (!stop.aborted) this.log.error(`The handler of an enrichment job failed: ${type}`, error);
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
      // The worker stops: the missing outcome is not the item's fault.
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
