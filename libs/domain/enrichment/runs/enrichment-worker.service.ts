import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { type WorkPartitionLease } from './enrichment-partition-lease';
import { EnrichmentWorkPartitionService } from './enrichment-work-partition.service';
import { type RunEnrichmentPartition } from './enrichment-work.queue';
import { EnrichmentItemRepository } from './enrichment-item.repository';
import { ChunkRunsService } from './chunk-runs.service';

/** A lane is held for so long, renewed several times in that time: what a worker had that dies is late by so much. */
const LEASE_MS = 20_000;
const RENEW_MS = 5_000;
/** Then other workspaces have their turn, in case many wait. */
const TURN_MS = 10_000;
/** A turn that failed is not repeated at once, lest it fail again and again. */
const FAILED_MS = 10_000;
/** How soon is looked again whether a workspace that was deleted is there again. */
const DELETED_MS = 600_000;

/** Does the jobs of a workspace, chunk by chunk, each job in its turn: one with ten items does not wait for one with 50 000. */
@Injectable()
export class EnrichmentWorkerService {
  constructor(
    private readonly lanes: EnrichmentWorkPartitionService,
    private readonly claims: EnrichmentItemRepository,
    private readonly chunks: ChunkRunsService,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
  ) {}

  /** Without effect while another worker has the lane. `signal` ends what is under way; it is taken up again by others. */
  async run({ laneId }: RunEnrichmentPartition, signal: AbortSignal): Promise<void> {
    const lane = await this.lanes.acquire(laneId, LEASE_MS);
    if (!lane) return;
    const { workspaceId } = lane;
    if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) {
      // It may be restored; its jobs go on then.
      await this.lanes.complete(lane, this.clock.in(DELETED_MS));
      return;
    }
    try {
      await this.#turn(lane, signal);
    } catch (error) {
      await this.lanes.complete(lane, this.clock.in(FAILED_MS));
      throw error;
    }
    await this.lanes.complete(lane, await this.claims.nextAt(workspaceId));
  }

  async #turn(lane: WorkPartitionLease, signal: AbortSignal): Promise<void> {
    const until = performance.now() + TURN_MS;
    let isLost = false;
    const isOver = () => isLost || signal.aborted || performance.now() > until;
    const renewing = setInterval(() => {
      void this.lanes
        .renew(lane, LEASE_MS)
        .catch(() => false)
        .then((isHeld) => (isLost ||= !isHeld));
    }, RENEW_MS);
    try {
      while (!isOver()) {
        const job = await this.claims.nextJob(lane.workspaceId);
        if (!job) return;
        await this.chunks.run(job, signal);
      }
    } finally {
      clearInterval(renewing);
    }
  }
}
