import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { ClusterMembershipService, getOwner } from '@platform/cluster';
import { LEASE_MS, LeaseHeartbeat, LeaseService } from '@platform/database';
import { LogService } from '@platform/observability';
import pLimit from 'p-limit';
import { EventBatchService } from './event-batch.service';
import { EventOutboxRepository } from './event-outbox.repository';

/** Partitions that one worker relays at a time. */
const AT_ONCE = 4;
/** Then the other partitions of the worker come first. */
const RUN_MS = 5_000;
/** Interval between two polls; after events of this process the next one is earlier. */
const POLL_MS = 500;
const NUDGED_POLL_MS = 100;
const JOIN_EVERY_MS = 4_000;

/**
 * Relays events to their subscribers, each exactly once: one transaction deletes the outbox entry and writes what subscribers
 * derive. The outbox is divided into partitions by workspace, and each is relayed under a lease. The lease only saves work: two
 * concurrent runs would be correct but would undo each other's.
 */
@Injectable()
export class EventRelayService implements OnModuleDestroy {
  readonly #self = randomUUID();
  readonly #stopping = new AbortController();
  readonly #limit = pLimit(AT_ONCE);
  /** By partition: the present run. */
  readonly #runs = new Map<string, Promise<number>>();
  /** By partition: the workspace after which the next run continues. */
  readonly #positions = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #nudge: NodeJS.Timeout | undefined;
  #polling: Promise<unknown> | undefined;
  #members: readonly string[] = [];
  #joinAgainAt = 0;
  /** Logs the first failure only, and not each failed poll after it. */
  #failing = false;

  constructor(
    private readonly outbox: EventOutboxRepository,
    private readonly batches: EventBatchService,
    private readonly leases: LeaseService,
    private readonly cluster: ClusterMembershipService,
    private readonly log: LogService,
  ) {}

  /**
   * Relays the events of all partitions that no other worker relays, and deferred ones that are due. The schedule calls it, so
   * the partitions of a worker that hangs are relayed too.
   * @returns the number of relayed events
   */
  async relay(signal?: AbortSignal): Promise<number> {
    await this.outbox.restoreDue();
    const partitions = await this.outbox.listPartitions();
    const runs = await Promise.allSettled(partitions.map((partition) => this.#run(partition, signal)));
    const failed = runs.find((run) => run.status === 'rejected');
    if (failed) throw failed.reason;
    return runs.reduce((sum, run) => sum + (run.status === 'fulfilled' ? run.value : 0), 0);
  }

  /** From now on relays this worker's share of the partitions. */
  start(): void {
    this.outbox.onAdded(() => this.#pollSoon());
    this.#timer = setInterval(() => this.#poll(), POLL_MS);
  }

  /** Begins no further batch and waits for the current ones. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#nudge);
    this.#stopping.abort();
    await this.#polling;
    await Promise.allSettled(this.#runs.values());
    // A membership that cannot be ended expires.
    if (this.#members.length > 0) await this.cluster.leave(this.#self).catch(() => undefined);
    this.#members = [];
  }

  async onModuleDestroy(): Promise<void> {
    await this.stop();
  }

  /** A second caller gets the present run. */
  #run(partition: string, signal?: AbortSignal): Promise<number> {
    const present = this.#runs.get(partition);
    if (present) return present;
    const stopping = AbortSignal.any([this.#stopping.signal, ...(signal ? [signal] : [])]);
    const run = this.#limit(() => this.#relayLeased(partition, stopping)).finally(() => this.#runs.delete(partition));
    this.#runs.set(partition, run);
    return run;
  }

  async #relayLeased(partition: string, stopping: AbortSignal): Promise<number> {
    if (stopping.aborted) return 0;
    const lease = await this.leases.acquire(`event-relay:${partition}`, LEASE_MS);
    if (!lease) return 0;
    const heartbeat = new LeaseHeartbeat(() => this.leases.renew(lease, LEASE_MS), stopping);
    try {
      return await this.#relayPartition(partition, heartbeat.signal);
    } finally {
      heartbeat.end();
      // A lease that cannot be released expires.
      await this.leases.release(lease).catch(() => undefined);
    }
  }

  /** Workspaces take turns, one batch each, until a round relays nothing or leaves nothing. */
  async #relayPartition(partition: string, signal: AbortSignal): Promise<number> {
    const endsAt = performance.now() + RUN_MS;
    let relayed = 0;
    let after = this.#positions.get(partition) ?? null;
    this.#positions.delete(partition);
    for (let hasMore = true; hasMore; after = null) {
      // A run that continues an earlier one begins with a part of a round.
      hasMore = after !== null;
      const before = relayed;
      let isCut = false;
      for (let continues = true; continues;) {
        const page = await this.outbox.readPage(partition, after);
        for (const batch of page.batches) {
          if (signal.aborted || performance.now() > endsAt) {
            if (after !== null) this.#positions.set(partition, after);
            return relayed;
          }
          if (!this.batches.isWaiting(batch)) relayed += await this.batches.relay(batch, signal);
          after = batch.workspaceId;
        }
        isCut ||= page.isCut;
        ({ continues } = page);
      }
      hasMore ||= isCut && relayed > before;
    }
    return relayed;
  }

  #pollSoon(): void {
    this.#nudge ??= setTimeout(() => {
      this.#nudge = undefined;
      this.#poll();
    }, NUDGED_POLL_MS);
  }

  #poll(): void {
    if (this.#stopping.signal.aborted) return;
    // All slots are taken, or the last poll takes long.
    if (this.#limit.pendingCount > 0 || this.#polling) return this.#pollSoon();
    this.#polling = this.#relayOwn()
      .catch((error: unknown) => this.#warn(error))
      .finally(() => (this.#polling = undefined));
  }

  /** Begins runs without waiting for them: a slow one delays no other partition. */
  async #relayOwn(): Promise<void> {
    const members = await this.#listMembers();
    const partitions = await this.outbox.listPartitions();
    this.#failing = false;
    for (const partition of partitions.filter((one) => getOwner(one, members) === this.#self)) {
      // The present run may have read the outbox before the last events.
      if (this.#runs.has(partition)) this.#pollSoon();
      else void this.#run(partition).catch((error: unknown) => this.#warn(error));
    }
  }

  async #listMembers(): Promise<readonly string[]> {
    if (performance.now() < this.#joinAgainAt) return this.#members;
    this.#members = await this.cluster.join('event-relay', this.#self, LEASE_MS);
    this.#joinAgainAt = performance.now() + JOIN_EVERY_MS;
    return this.#members;
  }

  #warn(error: unknown): void {
    if (this.#failing) return;
    this.#failing = true;
    this.log.warn('Events are not relayed; the relay retries', {
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}
