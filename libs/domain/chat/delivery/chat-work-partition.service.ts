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
import { ChatWorkPartitionRecord } from '../schemas/chat-work-partition.record';
import { ChatWorkQueue, type ScheduledChatPartition } from './chat-work.queue';

/** The exclusive right to post for a connection until the lease expires. */
export interface ChatPartitionLease {
  readonly connectionId: string;
  readonly workspaceId: string;
  readonly holder: string;
  readonly fence: number;
}

/** A connection with the time of its next post. */
export interface ChatPlan {
  readonly workspaceId: Types.ObjectId;
  readonly connectionId: Types.ObjectId;
  readonly at: Date;
}

/** How overdue a partition is before the sweep enqueues it. */
const SWEEP_AFTER_MS = 3_000;
/** Longer than a post with its reads and writes. */
const LEASE_MS = 60_000;

const WORKER = 'the worker posts in the chats of all workspaces';

/** Leases and next runs of chat connections. */
@Injectable()
export class ChatWorkPartitionService implements Sweep {
  readonly name = 'chat-work';

  constructor(
    @InjectModel(ChatWorkPartitionRecord.name) private readonly partitions: Model<ChatWorkPartitionRecord>,
    private readonly queue: ChatWorkQueue,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Schedules runs at these times or earlier; call it in the transaction of the cause. */
  async schedule(plans: readonly ChatPlan[]): Promise<void> {
    if (plans.length === 0) return;
    const unheld = { holder: '', fence: 0, leaseUntil: NO_LEASE };
    // Sorted, so that two bulk writes do not deadlock.
    const ordered = plans.toSorted((one, other) => String(one.connectionId).localeCompare(String(other.connectionId)));
    await rerunOnWriteConflict(() =>
      this.partitions.bulkWrite(
        ordered.map(({ connectionId, workspaceId, at }) => ({
          updateOne: {
            filter: { _id: connectionId, workspaceId },
            update: { $min: { nextAt: at, requestedFor: at }, $setOnInsert: unheld },
            upsert: true,
          },
        })),
        { ordered: false },
      ),
    );
  }

  /** Enqueues the scheduled runs of these workspaces, after the transaction. Never throws for Redis. */
  async enqueue(workspaceIds: readonly (Types.ObjectId | string)[]): Promise<void> {
    // A job must not precede its data, and a retried transaction must not add it twice.
    if (this.transactions.running)
      throw new Error('enqueue was called inside a transaction; call it after the transaction');
    const found = await this.partitions
      .find({ workspaceId: { $in: workspaceIds.map((id) => new Types.ObjectId(id)) } }, SCHEDULED_RUN_FIELDS)
      .setOptions({ allWorkspaces: WORKER })
      .lean<ScheduledRun[]>();
    await this.queue.enqueue(found.flatMap(toScheduledPartitions));
  }

  /**
   * Leases a connection; null while another worker holds it or when it was never scheduled. It stays due until
   * `complete`, so that after a crash the sweep repeats the run.
   */
  async acquire(connectionId: string): Promise<ChatPartitionLease | null> {
    const held = await acquireRecordLease(this.partitions, connectionId, {
      leaseMs: LEASE_MS,
      now: this.clock.now(),
      why: WORKER,
    });
    return held && { connectionId, ...held };
  }

  /** Renews the lease for the time of a post; false when it was lost: nothing more may start then. */
  async renew(lease: ChatPartitionLease): Promise<boolean> {
    return renewRecordLease(this.partitions, lease.connectionId, lease, LEASE_MS);
  }

  /**
   * Ends the run and schedules the next one at `nextAt` (null: none), or earlier when one was requested meanwhile. No
   * effect when the lease was lost: its new holder schedules. Not inside a transaction.
   */
  async complete(lease: ChatPartitionLease, nextAt: Date | null): Promise<void> {
    const ended = await releaseRecordLease(this.partitions, lease.connectionId, lease, nextAt);
    if (ended) await this.queue.enqueue(toScheduledPartitions(ended));
  }

  /** Joins a running transaction. */
  async remove(workspaceId: Types.ObjectId, connectionId: Types.ObjectId): Promise<void> {
    await this.partitions.deleteOne({ _id: connectionId, workspaceId });
  }

  /** Enqueues each due connection without a lease holder: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of dueRecords(this.partitions, this.clock.in(-SWEEP_AFTER_MS), WORKER)) {
      created += await this.queue.addMissing(page.filter(({ isLeased }) => !isLeased).flatMap(toScheduledPartitions));
    }
    return created;
  }
}

function toScheduledPartitions({ _id, workspaceId, nextAt, fence }: ScheduledRun): ScheduledChatPartition[] {
  if (!nextAt) return [];
  return [{ workspaceId: workspaceId.toHexString(), connectionId: _id.toHexString(), nextAt, fence }];
}
