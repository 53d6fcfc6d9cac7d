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

/** Places at which workers do the jobs of one workspace at the same time. */
const MAX_PARTITIONS = 4;
/** How late a lane may be before the sweep asks for its job. */
const SWEEP_AFTER_MS = 3_000;

const WORKER = 'the worker does the enrichment jobs of all workspaces';

/** Which worker does the jobs of which workspace, and when there is something to do; as the lanes of webhooks. */
@Injectable()
export class EnrichmentWorkPartitionService implements Sweep {
  readonly name = 'enrichment-lane';

  constructor(
    @InjectModel(EnrichmentWorkPartitionRecord.name) private readonly partitions: Model<EnrichmentWorkPartitionRecord>,
    private readonly queue: EnrichmentWorkQueue,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** There is something to do now for `wanted` workers, of which LANES at most come: in the transaction of its cause. */
  async schedule(workspaceId: string, workers: number): Promise<void> {
    const at = this.clock.now();
    const unleased = { holder: '', fence: 0, leaseUntil: NO_LEASE };
    const numbers = Array.from({ length: Math.min(MAX_PARTITIONS, workers) }, (_, number) => number);
    await rerunOnWriteConflict(() =>
      this.partitions.bulkWrite(
        numbers.map((number) => ({
          updateOne: {
            filter: { workspaceId: new Types.ObjectId(workspaceId), number },
            update: { $min: { nextAt: at, wokenFor: at }, $setOnInsert: unleased },
            upsert: true,
          },
        })),
      ),
    );
  }

  /** Asks for the turns that were planted; after their transaction. Never throws for Redis. */
  async enqueue(workspaceId: string): Promise<void> {
    // Jobs must not come before what they are for, and must not be added again when a transaction runs again.
    if (this.transactions.running)
      throw new Error('EnrichmentLanes.announce was called inside a transaction; call it afterwards');
    const found = await this.partitions.find({ workspaceId }, SCHEDULED_RUN_FIELDS).lean<ScheduledRun[]>();
    await this.queue.enqueue(found.flatMap(toScheduledPartitions));
  }

  /**
   * The lane for `leaseMs` milliseconds by the database's clock, or null while somebody else has it. It counts as due until
   * `end`: when this process dies, the sweep repeats the turn after the lease.
   */
  async acquire(laneId: string, leaseMs: number): Promise<WorkPartitionLease | null> {
    const lease = await acquireRecordLease(this.partitions, laneId, { leaseMs, now: this.clock.now(), why: WORKER });
    return lease && { partitionId: laneId, ...lease };
  }

  /** Holds the lane for `leaseMs` more milliseconds; false when it was lost, and then nothing more may be begun in it. */
  async renew(lease: WorkPartitionLease, leaseMs: number): Promise<boolean> {
    return renewRecordLease(this.partitions, lease.partitionId, lease, leaseMs);
  }

  /**
   * Ends the turn and plans the next one: at `nextAt` (null: none), or earlier if it was woken for an earlier time since the
   * turn began. False when it was lost: then whoever has it plans. Not inside a transaction.
   */
  async complete(lease: WorkPartitionLease, nextAt: Date | null): Promise<boolean> {
    const ended = await releaseRecordLease(this.partitions, lease.partitionId, lease, nextAt);
    if (ended) await this.queue.enqueue(toScheduledPartitions(ended));
    return ended !== null;
  }

  /** Gives every lane that has something due, and that nobody holds, its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of dueRecords(this.partitions, this.clock.in(-SWEEP_AFTER_MS), WORKER)) {
      created += await this.queue.addMissing(page.filter(({ held }) => !held).flatMap(toScheduledPartitions));
    }
    return created;
  }
}

function toScheduledPartitions({ _id, workspaceId, nextAt, fence }: ScheduledRun): ScheduledPartition[] {
  if (!nextAt) return [];
  return [{ workspaceId: workspaceId.toHexString(), laneId: _id.toHexString(), nextAt, fence }];
}
