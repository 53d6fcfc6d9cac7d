import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import {
  acquireRecordLease,
  dueRecords,
  NO_LEASE,
  releaseRecordLease,
  renewRecordLease,
  rerunOnWriteConflict,
  SCHEDULED_RUN_FIELDS,
  type ScheduledRun,
  TransactionService,
} from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type Model, Types } from 'mongoose';
import { EnrichmentWorkPartitionRecord } from '../schemas/enrichment-work-partition.record';
import { type WorkPartitionLease } from './enrichment-partition-lease';
import { EnrichmentWorkQueue, type ScheduledPartition } from './enrichment-work.queue';

/** Maximum number of work partitions of a workspace, and so of concurrent workers. */
const MAX_PARTITIONS = 4;
/** Milliseconds after which the sweep enqueues an overdue partition. */
const SWEEP_AFTER_MS = 3_000;

const WORKER = 'the worker runs the enrichment jobs of all workspaces';

/** Leases and schedules the work partitions of each workspace, as those of webhooks. */
@Injectable()
export class EnrichmentWorkPartitionService implements Sweep {
  readonly name = 'enrichment-work';

  constructor(
    @InjectModel(EnrichmentWorkPartitionRecord.name) private readonly partitions: Model<EnrichmentWorkPartitionRecord>,
    private readonly queue: EnrichmentWorkQueue,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Schedules work for `workers` workers, at most MAX_PARTITIONS; call it in the transaction that causes the work. */
  async schedule(workspaceId: string, workers: number): Promise<void> {
    const at = this.clock.now();
    const unleased = { holder: '', fence: 0, leaseUntil: NO_LEASE };
    const numbers = Array.from({ length: Math.min(MAX_PARTITIONS, workers) }, (_, number) => number);
    await rerunOnWriteConflict(() =>
      this.partitions.bulkWrite(
        numbers.map((number) => ({
          updateOne: {
            filter: { workspaceId: new Types.ObjectId(workspaceId), number },
            update: { $min: { nextAt: at, requestedFor: at }, $setOnInsert: unleased },
            upsert: true,
          },
        })),
      ),
    );
  }

  /** Enqueues the scheduled partitions; call it after the transaction. Never throws for Redis. */
  async enqueue(workspaceId: string): Promise<void> {
    // In a transaction, a job could run before its data exists, and a rerun would add it twice.
    if (this.transactions.running)
      throw new Error('EnrichmentWorkPartitionService.enqueue was called in a transaction; call it afterwards');
    const found = await this.partitions.find({ workspaceId }, SCHEDULED_RUN_FIELDS).lean<ScheduledRun[]>();
    await this.queue.enqueue(found.flatMap(toScheduledPartitions));
  }

  /**
   * Leases the partition for `leaseMs` milliseconds by the database's clock; null while another worker holds the lease.
   * It stays due until `complete`: after a crash, the sweep repeats the run when the lease has expired.
   */
  async acquire(laneId: string, leaseMs: number): Promise<WorkPartitionLease | null> {
    const lease = await acquireRecordLease(this.partitions, laneId, { leaseMs, now: this.clock.now(), why: WORKER });
    return lease && { partitionId: laneId, ...lease };
  }

  /** Extends the lease by `leaseMs` milliseconds; false when it was lost, and then no more work may begin. */
  async renew(lease: WorkPartitionLease, leaseMs: number): Promise<boolean> {
    return renewRecordLease(this.partitions, lease.partitionId, lease, leaseMs);
  }

  /**
   * Ends the run and schedules the next one: at `nextAt` (null: none), or at an earlier time that was scheduled
   * meanwhile. False when the lease was lost: its new holder schedules then. Not in a transaction.
   */
  async complete(lease: WorkPartitionLease, nextAt: Date | null): Promise<boolean> {
    const ended = await releaseRecordLease(this.partitions, lease.partitionId, lease, nextAt);
    if (ended) await this.queue.enqueue(toScheduledPartitions(ended));
    return ended !== null;
  }

  /** Enqueues each due partition without a lease, in case Redis has lost its jobs. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of dueRecords(this.partitions, this.clock.in(-SWEEP_AFTER_MS), WORKER)) {
      created += await this.queue.addMissing(page.filter(({ isLeased }) => !isLeased).flatMap(toScheduledPartitions));
    }
    return created;
  }
}

function toScheduledPartitions({ _id, workspaceId, nextAt, fence }: ScheduledRun): ScheduledPartition[] {
  if (!nextAt) return [];
  return [{ workspaceId: workspaceId.toHexString(), laneId: _id.toHexString(), nextAt, fence }];
}
