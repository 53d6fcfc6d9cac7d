import { type ClockPort } from '@platform/clock';
import {
  acquireRecordLease,
  dueRecords,
  LEASE_MS,
  LeaseHeartbeat,
  NO_LEASE,
  type RecordLease,
  releaseRecordLease,
  renewRecordLease,
  rerunOnWriteConflict,
  SCHEDULED_RUN_FIELDS,
  type ScheduledRun,
  type TransactionService,
} from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type Model, type QueryFilter } from 'mongoose';
import { type WorkPartitionFields } from './work-partition-fields';
import { type ScheduledPartition, type WorkPartitionQueue } from './work-partition.queue';

/** The exclusive right to do the due work of a partition, until the lease expires. */
export interface WorkPartitionLease extends RecordLease {
  readonly partitionId: string;
}

/** A partition by its unique fields, with the time of its next run. */
export interface PartitionPlan {
  readonly key: object;
  readonly at: Date;
  /** Further operators of the update, and fields of a new partition. */
  readonly update?: object;
  readonly onInsert?: object;
}

/** How overdue a partition is before the sweep enqueues it. */
const SWEEP_AFTER_MS = 3_000;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;

/**
 * Base of all work partitions: due work of a key, which one worker at a time does under a lease. Each run is bounded and
 * says when the next one is due. MongoDB holds what is due; jobs only wake the worker, and the sweep repeats them.
 */
export abstract class WorkPartitionService<R extends WorkPartitionFields> implements Sweep {
  /** @param why reason for the tenant guard: workers serve all workspaces */
  protected constructor(
    protected readonly partitions: Model<R>,
    private readonly queue: WorkPartitionQueue,
    protected readonly transactions: TransactionService,
    protected readonly clock: ClockPort,
    private readonly why: string,
  ) {}

  get name(): string {
    return this.queue.name;
  }

  /**
   * Does the due work of a partition; without effect while another worker does it. A lost lease aborts the work, and its
   * next holder continues. An error releases the lease, and the next run is due after 2, 4, 8 up to 60 seconds.
   * @param work returns when the next run is due; null when there is no more work
   * @param stopping aborts the work, which another run continues
   * @throws Error of `work`, unless the lease is lost
   */
  async run(
    partitionId: string,
    stopping: AbortSignal,
    work: (lease: WorkPartitionLease, signal: AbortSignal) => Promise<Date | null>,
  ): Promise<void> {
    const lease = await this.acquire(partitionId);
    if (!lease) return;
    const heartbeat = new LeaseHeartbeat(() => this.renew(lease), stopping);
    try {
      await this.complete(lease, await work(lease, heartbeat.signal));
    } catch (error) {
      if (heartbeat.isExpired) return;
      await this.#retryLater(lease, stopping);
      throw error;
    } finally {
      heartbeat.end();
    }
  }

  /**
   * Leases a partition for 15 seconds by the database's clock; null while another worker holds it or when it was never
   * scheduled. It stays due until `complete`, so that after a crash the sweep repeats the run.
   */
  async acquire(partitionId: string): Promise<WorkPartitionLease | null> {
    const options = { leaseMs: LEASE_MS, now: this.clock.now(), why: this.why };
    const lease = await acquireRecordLease(this.partitions, partitionId, options);
    return lease && { partitionId, ...lease };
  }

  /** Extends the lease; false when it was lost: then nothing more may start under it. */
  async renew(lease: WorkPartitionLease): Promise<boolean> {
    return renewRecordLease(this.partitions, lease.partitionId, lease, LEASE_MS);
  }

  /**
   * Ends the run and schedules the next one at `nextAt` (null: none), or earlier when one was requested meanwhile. Without
   * effect when the lease was lost: then its next holder schedules. Not inside a transaction.
   * @returns whether the lease was still held
   */
  async complete(lease: WorkPartitionLease, nextAt: Date | null): Promise<boolean> {
    return this.#release(lease, { nextAt, failedRuns: 0 });
  }

  /** Enqueues each due partition without a lease holder: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of dueRecords(this.partitions, this.clock.in(-SWEEP_AFTER_MS), this.why)) {
      created += await this.queue.addMissing(page.filter(({ isLeased }) => !isLeased).flatMap(toScheduledPartitions));
    }
    return created;
  }

  /**
   * Schedules runs at these times or earlier; call it in the transaction of the cause.
   * @param plans in a fixed order, so that two bulk writes do not deadlock
   */
  protected async scheduleAll(plans: readonly PartitionPlan[]): Promise<void> {
    if (plans.length === 0) return;
    const unheld = { holder: '', fence: 0, leaseUntil: NO_LEASE };
    const operations = plans.map(({ key, at, update, onInsert }) => ({
      updateOne: {
        filter: key,
        update: { ...update, $min: { nextAt: at, requestedFor: at }, $setOnInsert: { ...unheld, ...onInsert } },
        upsert: true,
        setDefaultsOnInsert: false,
      },
    }));
    const partitions = this.partitions as unknown as Model<WorkPartitionFields>;
    await rerunOnWriteConflict(() => partitions.bulkWrite(operations, { ordered: false }));
  }

  /** Enqueues the scheduled runs of the partitions that match, after the transaction. Never throws for Redis. */
  protected async enqueueWhere(filter: QueryFilter<R>): Promise<void> {
    // In a transaction, a job could run before its data exists, and a rerun would add it twice.
    if (this.transactions.running)
      throw new Error(`The queue ${this.name} was used in a transaction; use it afterwards`);
    const found = await this.partitions
      .find(filter, SCHEDULED_RUN_FIELDS)
      .setOptions({ allWorkspaces: this.why })
      .lean<ScheduledRun[]>();
    await this.queue.enqueue(found.flatMap(toScheduledPartitions));
  }

  /** A shutdown is no failure: the work is due at once. When the release fails too, the lease ends by itself. */
  async #retryLater(lease: WorkPartitionLease, stopping: AbortSignal): Promise<void> {
    const failedRuns = stopping.aborted ? 0 : lease.failedRuns + 1;
    const waitMs = failedRuns === 0 ? 0 : Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failedRuns - 1));
    await this.#release(lease, { nextAt: this.clock.in(waitMs), failedRuns }).catch(() => undefined);
  }

  async #release(lease: WorkPartitionLease, end: { nextAt: Date | null; failedRuns: number }): Promise<boolean> {
    const released = await releaseRecordLease(this.partitions, lease.partitionId, lease, end);
    if (released) await this.queue.enqueue(toScheduledPartitions(released));
    return released !== null;
  }
}

function toScheduledPartitions({ _id, workspaceId, nextAt, fence }: ScheduledRun): ScheduledPartition[] {
  if (!nextAt) return [];
  return [{ workspaceId: workspaceId.toHexString(), partitionId: _id.toHexString(), nextAt, fence }];
}
