import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import {
  dueRecords,
  releaseRecordLease,
  NO_LEASE,
  SCHEDULED_RUN_FIELDS,
  type ScheduledRun,
  renewRecordLease,
  rerunOnWriteConflict,
  acquireRecordLease,
  TransactionService,
} from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type Model, Types } from 'mongoose';
import { WebhookWorkPartitionRecord } from '../schemas/webhook-work-partition.record';
import { type WorkPartitionLease } from './webhook-partition-lease';
import { WebhookWorkQueue, type ScheduledPartition } from './webhook-work.queue';

/** How overdue a partition is before the sweep enqueues it. */
const SWEEP_AFTER_MS = 3_000;

const WORKER = 'the worker delivers to the webhooks of all workspaces';

/** Leases and next runs of webhooks. */
@Injectable()
export class WebhookWorkPartitionService implements Sweep {
  readonly name = 'webhook-work';

  constructor(
    @InjectModel(WebhookWorkPartitionRecord.name) private readonly partitions: Model<WebhookWorkPartitionRecord>,
    private readonly queue: WebhookWorkQueue,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Schedules and enqueues a run now; not inside a transaction. */
  async scheduleNow(workspaceId: string, webhookIds: readonly string[]): Promise<void> {
    await this.transactions.run(() => this.schedule(workspaceId, webhookIds, this.clock.now()));
    await this.enqueue(workspaceId, webhookIds);
  }

  /** Schedules a run at `at` or earlier; call it in the transaction of the cause. */
  async schedule(workspaceId: string, webhookIds: readonly string[], at: Date): Promise<void> {
    if (webhookIds.length === 0) return;
    const unheld = { holder: '', fence: 0, leaseUntil: NO_LEASE };
    await rerunOnWriteConflict(() =>
      this.partitions.bulkWrite(
        toSortedObjectIds(webhookIds).map((_id) => ({
          updateOne: {
            filter: { _id, workspaceId: new Types.ObjectId(workspaceId) },
            update: { $min: { nextAt: at, requestedFor: at }, $setOnInsert: unheld },
            upsert: true,
          },
        })),
        { ordered: false },
      ),
    );
  }

  /** Enqueues the scheduled runs, after their transaction. Never throws for Redis. */
  async enqueue(workspaceId: string, webhookIds: readonly string[]): Promise<void> {
    // A job must not precede its data, and a retried transaction must not add it twice.
    if (this.transactions.running)
      throw new Error('enqueue was called inside a transaction; call it after the transaction');
    if (webhookIds.length === 0) return;
    const found = await this.partitions
      .find({ workspaceId, _id: { $in: toSortedObjectIds(webhookIds) } }, SCHEDULED_RUN_FIELDS)
      .lean<ScheduledRun[]>();
    await this.queue.enqueue(found.flatMap(toScheduledPartitions));
  }

  /** Enqueues all due webhooks of these workspaces. Never throws for Redis. */
  async enqueueDue(workspaceIds: readonly string[]): Promise<void> {
    const found = await this.partitions
      .find({ workspaceId: { $in: workspaceIds }, nextAt: { $lte: this.clock.now() } }, SCHEDULED_RUN_FIELDS)
      .setOptions({ allWorkspaces: WORKER })
      .lean<ScheduledRun[]>();
    await this.queue.enqueue(found.flatMap(toScheduledPartitions));
  }

  /**
   * Leases the webhook for `leaseMs` milliseconds by the database clock; null while another worker holds it or when
   * it was never scheduled. It stays due until `complete`, so that after a crash the sweep repeats the run.
   */
  async acquire(webhookId: string, leaseMs: number): Promise<WorkPartitionLease | null> {
    const held = await acquireRecordLease(this.partitions, webhookId, { leaseMs, now: this.clock.now(), why: WORKER });
    return held && { webhookId, ...held };
  }

  /** Renews the lease for `leaseMs` milliseconds; false when it was lost: nothing more may start then. */
  async renew(lease: WorkPartitionLease, leaseMs: number): Promise<boolean> {
    return renewRecordLease(this.partitions, lease.webhookId, lease, leaseMs);
  }

  /**
   * Ends the run and schedules the next one at `nextAt` (null: none), or earlier when one was requested meanwhile.
   * False when the lease was lost: its new holder schedules. Not inside a transaction.
   */
  async complete(lease: WorkPartitionLease, nextAt: Date | null): Promise<boolean> {
    const ended = await releaseRecordLease(this.partitions, lease.webhookId, lease, nextAt);
    if (ended) await this.queue.enqueue(toScheduledPartitions(ended));
    return ended !== null;
  }

  /** Enqueues each due webhook without a lease holder: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of dueRecords(this.partitions, this.clock.in(-SWEEP_AFTER_MS), WORKER)) {
      created += await this.queue.addMissing(page.filter(({ isLeased }) => !isLeased).flatMap(toScheduledPartitions));
    }
    return created;
  }
}

/** Unique and sorted, so that two bulk writes do not deadlock. */
function toSortedObjectIds(ids: readonly string[]): Types.ObjectId[] {
  return [...new Set(ids)].toSorted().map((id) => new Types.ObjectId(id));
}

function toScheduledPartitions({ _id, workspaceId, nextAt, fence }: ScheduledRun): ScheduledPartition[] {
  if (!nextAt) return [];
  return [{ workspaceId: workspaceId.toHexString(), webhookId: _id.toHexString(), nextAt, fence }];
}
