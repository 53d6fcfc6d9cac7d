import { type ClockPort } from '@platform/clock';
import {
  acquireRecordLease,
  type DueRecord,
  dueRecords,
  LEASE_MS,
  LeaseLostError,
  type LeaseRenewalService,
  NO_LEASE,
  OVERDUE_LEASE_MS,
  type RecordLease,
  type RecordRunEnd,
  releaseRecordLease,
  renewRecordLease,
  rerunOnWriteConflict,
  SCHEDULED_RUN_FIELDS,
  type ScheduledRun,
  type TransactionService,
} from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type Model, type QueryFilter, Types } from 'mongoose';
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
/** How long after the end of the lease a crashed worker's run is repeated. */
const LEASE_END_MARGIN_MS = 100;
const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 60_000;

/**
 * Base of all work partitions: due work of a key, which one worker at a time does under a lease. Each run is bounded and
 * says when the next one is due. MongoDB holds what is due; jobs only wake the worker, and the sweep repeats them.
 */
export abstract class WorkPartitionService<
  R extends WorkPartitionFields,
  L extends WorkPartitionLease = WorkPartitionLease,
> implements Sweep {
  /** Further fields of the record that an acquisition sets, as expressions of an aggregation. */
  protected readonly acquiredFields: Record<string, unknown> = {};

  /** @param why reason for the tenant guard: workers serve all workspaces */
  protected constructor(
    protected readonly partitions: Model<R>,
    private readonly queue: WorkPartitionQueue,
    protected readonly transactions: TransactionService,
    private readonly renewals: LeaseRenewalService,
    protected readonly clock: ClockPort,
    private readonly why: string,
  ) {}

  get name(): string {
    return this.queue.name;
  }

  /**
   * Does the due work of a partition, as `runUnderLease` does.
   * @param work returns when the next run is due; null when there is no more work
   */
  async run(
    partitionId: string,
    stopping: AbortSignal,
    work: (lease: L, signal: AbortSignal) => Promise<Date | null>,
  ): Promise<void> {
    await this.runUnderLease(partitionId, stopping, async (lease, signal) => {
      await this.complete(lease, await work(lease, signal));
    });
  }

  /**
   * Does the due work of a partition; without effect while another worker does it. A lost lease aborts the work, and its
   * next holder continues. An error releases the lease, and the next run is due after 2, 4, 8 up to 60 seconds.
   * @param work ends with `complete`
   * @param stopping aborts the work, which another run continues
   * @returns the result of `work`; null when another worker holds the lease, or the lease was lost
   * @throws Error of `work`, unless the lease is lost
   */
  async runUnderLease<T>(
    partitionId: string,
    stopping: AbortSignal,
    work: (lease: L, signal: AbortSignal) => Promise<T>,
  ): Promise<T | null> {
    const lease = await this.acquire(partitionId);
    if (!lease) return null;
    const stored = { _id: new Types.ObjectId(partitionId), holder: lease.holder };
    const heartbeat = this.renewals.keep(this.partitions, 'leaseUntil', stored, stopping);
    try {
      return await work(lease, heartbeat.signal);
    } catch (error) {
      if (heartbeat.isExpired || error instanceof LeaseLostError) return null;
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
  async acquire(partitionId: string): Promise<L | null> {
    const acquired = await acquireRecordLease(this.partitions, partitionId, {
      leaseMs: LEASE_MS,
      now: this.clock.now(),
      why: this.why,
      fields: this.acquiredFields,
    });
    return acquired && this.toLease({ partitionId, ...acquired.lease }, acquired.record);
  }

  /** Extends the lease; false when it was lost: then nothing more may start under it. Joins the running transaction. */
  async renew(lease: L): Promise<boolean> {
    return renewRecordLease(this.partitions, lease.partitionId, lease, LEASE_MS);
  }

  /**
   * Ends the run and schedules the next one at `nextAt` (null: none), or earlier when one was requested meanwhile. Without
   * effect when the lease was lost: then its next holder schedules. Not inside a transaction.
   * @returns whether the lease was still held
   */
  async complete(lease: L, nextAt: Date | null): Promise<boolean> {
    return this.release(lease, { nextAt, failedRuns: 0 });
  }

  /**
   * Enqueues each due partition without a lease holder: Redis may have been emptied. The partition of a holder that has missed
   * a renewal gets a job for the end of its lease.
   */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of dueRecords(this.partitions, this.clock.in(-SWEEP_AFTER_MS), this.why)) {
      const free = page.filter(({ leasedForMs }) => leasedForMs === 0);
      created += await this.queue.addMissing(free.flatMap(toScheduledPartitions));
      const overdue = page.filter(({ leasedForMs }) => leasedForMs > 0 && leasedForMs < OVERDUE_LEASE_MS);
      await this.queue.addMissing(overdue.flatMap((record) => this.#toRunAfterLease(record)));
    }
    return created;
  }

  /** The lease, with what its holder needs of the record. */
  protected toLease(lease: WorkPartitionLease, _record: R): L {
    return lease as L;
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
    this.requireNoTransaction();
    const found = await this.partitions
      .find(filter, SCHEDULED_RUN_FIELDS)
      .setOptions({ allWorkspaces: this.why })
      .lean<ScheduledRun[]>();
    await this.queue.enqueue(found.flatMap(toScheduledPartitions));
  }

  /** Releases the lease and schedules the next run; false when the lease was lost. Not inside a transaction. */
  protected async release(lease: L, end: RecordRunEnd): Promise<boolean> {
    this.requireNoTransaction();
    const released = await releaseRecordLease(this.partitions, lease.partitionId, lease, end);
    if (released) await this.queue.enqueue(toScheduledPartitions(released));
    return released !== null;
  }

  /** In a transaction, a job could run before its data exists, and a rerun would add it twice. */
  protected requireNoTransaction(): void {
    if (this.transactions.running)
      throw new Error(`The queue ${this.name} was used inside a transaction; use it afterwards`);
  }

  #toRunAfterLease(record: DueRecord): ScheduledPartition[] {
    const leaseEndsAt = this.clock.in(record.leasedForMs + LEASE_END_MARGIN_MS);
    return toScheduledPartitions(record).map((partition) => ({ ...partition, leaseEndsAt }));
  }

  /** A shutdown is no failure: the work is due at once. When the release fails too, the lease ends by itself. */
  async #retryLater(lease: L, stopping: AbortSignal): Promise<void> {
    const failedRuns = stopping.aborted ? 0 : lease.failedRuns + 1;
    const waitMs = failedRuns === 0 ? 0 : Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (failedRuns - 1));
    await this.release(lease, { nextAt: this.clock.in(waitMs), failedRuns }).catch(() => undefined);
  }
}

function toScheduledPartitions({ _id, workspaceId, nextAt, fence }: ScheduledRun): ScheduledPartition[] {
  if (!nextAt) return [];
  return [{ workspaceId: workspaceId.toHexString(), partitionId: _id.toHexString(), nextAt, fence }];
}
