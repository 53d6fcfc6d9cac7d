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

/** The right to post for a connection, held until its lease runs out. */
export interface ChatPartitionLease {
  readonly connectionId: string;
  readonly workspaceId: string;
  readonly holder: string;
  readonly fence: number;
}

/** A connection that something is to be told in, from then on. */
export interface ChatPlan {
  readonly workspaceId: Types.ObjectId;
  readonly connectionId: Types.ObjectId;
  readonly at: Date;
}

/** How late a lane may be before the sweep asks for its job. */
const SWEEP_AFTER_MS = 3_000;
/** Longer than a post may take, and what is read and written around it. */
const LEASE_MS = 60_000;

const WORKER = 'the worker posts in the chats of all workspaces';

/** Which worker posts for which connection, and when there is something to post. */
@Injectable()
export class ChatWorkPartitionService implements Sweep {
  readonly name = 'chat-lane';

  constructor(
    @InjectModel(ChatWorkPartitionRecord.name) private readonly partitions: Model<ChatWorkPartitionRecord>,
    private readonly queue: ChatWorkQueue,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** There is something to post at these times, or earlier if that was planned: belongs into the transaction of its cause. */
  async schedule(plans: readonly ChatPlan[]): Promise<void> {
    if (plans.length === 0) return;
    const unheld = { holder: '', fence: 0, leaseUntil: NO_LEASE };
    // In one order for all, so that two bulk writes do not wait for each other.
    const ordered = plans.toSorted((one, other) => String(one.connectionId).localeCompare(String(other.connectionId)));
    await rerunOnWriteConflict(() =>
      this.partitions.bulkWrite(
        ordered.map(({ connectionId, workspaceId, at }) => ({
          updateOne: {
            filter: { _id: connectionId, workspaceId },
            update: { $min: { nextAt: at, wokenFor: at }, $setOnInsert: unheld },
            upsert: true,
          },
        })),
        { ordered: false },
      ),
    );
  }

  /** Asks for the turns that are planned for these workspaces; after the transaction. Never throws for Redis. */
  async enqueue(workspaceIds: readonly (Types.ObjectId | string)[]): Promise<void> {
    // Jobs must not come before what they are for, and must not be added again when a transaction runs again.
    if (this.transactions.running)
      throw new Error('ChatLanes.announce was called inside a transaction; call it afterwards');
    const found = await this.partitions
      .find({ workspaceId: { $in: workspaceIds.map((id) => new Types.ObjectId(id)) } }, SCHEDULED_RUN_FIELDS)
      .setOptions({ allWorkspaces: WORKER })
      .lean<ScheduledRun[]>();
    await this.queue.enqueue(found.flatMap(toScheduledPartitions));
  }

  /**
   * The lane of a connection, or null while somebody else has it or when it was never planted. It counts as due until `end`: when
   * this process dies, the sweep repeats the turn after the lease.
   */
  async acquire(connectionId: string): Promise<ChatPartitionLease | null> {
    const held = await acquireRecordLease(this.partitions, connectionId, {
      leaseMs: LEASE_MS,
      now: this.clock.now(),
      why: WORKER,
    });
    return held && { connectionId, ...held };
  }

  /** Holds the lane for the time of a post; false when it was lost, and then nothing more may be begun in it. */
  async renew(lease: ChatPartitionLease): Promise<boolean> {
    return renewRecordLease(this.partitions, lease.connectionId, lease, LEASE_MS);
  }

  /**
   * Ends the turn and plans the next one: at `nextAt` (null: none), or earlier if it was woken for an earlier time since the
   * turn began. Without effect when it was lost: then whoever has it plans. Not inside a transaction.
   */
  async complete(lease: ChatPartitionLease, nextAt: Date | null): Promise<void> {
    const ended = await releaseRecordLease(this.partitions, lease.connectionId, lease, nextAt);
    if (ended) await this.queue.enqueue(toScheduledPartitions(ended));
  }

  /** Joins a running transaction. */
  async remove(workspaceId: Types.ObjectId, connectionId: Types.ObjectId): Promise<void> {
    await this.partitions.deleteOne({ _id: connectionId, workspaceId });
  }

  /** Gives every connection that has something due, and that nobody posts for, its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of dueRecords(this.partitions, this.clock.in(-SWEEP_AFTER_MS), WORKER)) {
      created += await this.queue.addMissing(page.filter(({ held }) => !held).flatMap(toScheduledPartitions));
    }
    return created;
  }
}

function toScheduledPartitions({ _id, workspaceId, nextAt, fence }: ScheduledRun): ScheduledChatPartition[] {
  if (!nextAt) return [];
  return [{ workspaceId: workspaceId.toHexString(), connectionId: _id.toHexString(), nextAt, fence }];
}
