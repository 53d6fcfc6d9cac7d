import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { EnrichmentJobEndService } from '../jobs/enrichment-job-end.service';
import { type EnrichmentItemRecord } from '../schemas/enrichment-item.record';
import { type EnrichmentJobRecord } from '../schemas/enrichment-job.record';
import { type ItemOutcome, type ItemHandler, WorkImpossibleError, type WorkItem } from '../item-handlers/item-handler';
import { ItemHandlerRegistry } from '../item-handlers/item-handler.registry';
import { type Claim, EnrichmentItemRepository } from './enrichment-item.repository';
import { EnrichmentItemsService } from './enrichment-items.service';
import { endedUnasked, getSettlement } from './outcome-decision';

/** The work is told to stop after so long: what it has not done by then is taken up again. */
const CHUNK_MS = 60_000;
/** Items of a worker that died are due again after so long: longer than a chunk takes with what is written of it. */
const CLAIM_MS = 90_000;

type Outcomes = ReadonlyMap<string, ItemOutcome>;
const NOTHING: Outcomes = new Map();

/** Takes a few items of a job in hand, has the work done on them, and writes what became of them. */
@Injectable()
export class ChunkRunsService {
  constructor(
    private readonly works: ItemHandlerRegistry,
    private readonly claims: EnrichmentItemRepository,
    private readonly items: EnrichmentItemsService,
    private readonly ends: EnrichmentJobEndService,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {}

  /** A job whose work is impossible has failed then. When `signal` says so, what is not done is put down at once. */
  async run(job: EnrichmentJobRecord, signal: AbortSignal): Promise<void> {
    const work = this.works.of(job.type);
    const restsUntil = (await work.cooldownUntil?.(job.workspaceId.toHexString())) ?? null;
    if (restsUntil && restsUntil > this.clock.now()) return this.claims.postpone(job, restsUntil);
    const claim = await this.claims.claim(job, work.chunk, CLAIM_MS);
    if (claim.items.length === 0) return;
    try {
      const outcomes = await this.#carryOut(job, work, claim, signal);
      await this.#write(job, work, claim, outcomes, signal);
    } catch (error) {
      if (!(error instanceof WorkImpossibleError)) throw error;
      await this.ends.fail(job, { code: error.code, message: error.message });
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
      return endedUnasked(item, now, outOfTime) ?? getSettlement(item, outcome, times, outOfTime);
    });
    if (signal.aborted) await this.claims.release(job, claim);
  }

  #unasked(work: ItemHandler, item: EnrichmentItemRecord) {
    const now = this.clock.now();
    return endedUnasked(item, now, () => work.onExpired(toWorkItem(item), now));
  }
}

function toWorkItem({ _id, workspaceId, jobId, email, leadId, attempts, createdAt }: EnrichmentItemRecord): WorkItem {
  return { _id, workspaceId, jobId, email, leadId, attempts, createdAt };
}
