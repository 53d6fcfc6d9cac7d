import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { LeaseRenewalService, TransactionService } from '@platform/database';
import { WorkPartitionService } from '@platform/work-partitions';
import { type Model, Types } from 'mongoose';
import { ChatWorkPartitionRecord } from '../schemas/chat-work-partition.record';
import { ChatWorkQueue } from './chat-work.queue';

/** A connection with the time of its next post. */
export interface ChatPlan {
  readonly workspaceId: Types.ObjectId;
  readonly connectionId: Types.ObjectId;
  readonly at: Date;
}

/** Leases and next runs of chat connections: a partition is a connection. */
@Injectable()
export class ChatWorkPartitionService extends WorkPartitionService<ChatWorkPartitionRecord> {
  constructor(
    @InjectModel(ChatWorkPartitionRecord.name) partitions: Model<ChatWorkPartitionRecord>,
    queue: ChatWorkQueue,
    transactions: TransactionService,
    renewals: LeaseRenewalService,
    clock: ClockPort,
  ) {
    super(partitions, queue, transactions, renewals, clock, 'the worker posts in the chats of all workspaces');
  }

  /** Schedules runs at these times or earlier; call it in the transaction of the cause. */
  async schedule(plans: readonly ChatPlan[]): Promise<void> {
    const ordered = plans.toSorted((one, other) => String(one.connectionId).localeCompare(String(other.connectionId)));
    await this.scheduleAll(
      ordered.map(({ connectionId: _id, workspaceId, at }) => ({ key: { _id, workspaceId }, at })),
    );
  }

  /** Enqueues the scheduled runs of these workspaces, after the transaction. Never throws for Redis. */
  async enqueue(workspaceIds: readonly (Types.ObjectId | string)[]): Promise<void> {
    await this.enqueueWhere({ workspaceId: { $in: workspaceIds.map((id) => new Types.ObjectId(id)) } });
  }

  /** Joins a running transaction. */
  async remove(workspaceId: Types.ObjectId, connectionId: Types.ObjectId): Promise<void> {
    await this.partitions.deleteOne({ _id: connectionId, workspaceId });
  }
}
