import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { LeaseRenewalService, TransactionService } from '@platform/database';
import { WorkPartitionService } from '@platform/work-partitions';
import { type Model, Types } from 'mongoose';
import { WebhookWorkPartitionRecord } from '../schemas/webhook-work-partition.record';
import { WebhookWorkQueue } from './webhook-work.queue';

/** Leases and next runs of webhooks: a partition is a webhook. */
@Injectable()
export class WebhookWorkPartitionService extends WorkPartitionService<WebhookWorkPartitionRecord> {
  constructor(
    @InjectModel(WebhookWorkPartitionRecord.name) partitions: Model<WebhookWorkPartitionRecord>,
    queue: WebhookWorkQueue,
    transactions: TransactionService,
    renewals: LeaseRenewalService,
    clock: ClockPort,
  ) {
    super(partitions, queue, transactions, renewals, clock, 'the worker delivers to the webhooks of all workspaces');
  }

  /** Schedules and enqueues a run now; not inside a transaction. */
  async scheduleNow(workspaceId: string, webhookIds: readonly string[]): Promise<void> {
    await this.transactions.run(() => this.schedule(workspaceId, webhookIds, this.clock.now()));
    await this.enqueue(workspaceId, webhookIds);
  }

  /** Schedules a run at `at` or earlier; call it in the transaction of the cause. */
  async schedule(workspaceId: string, webhookIds: readonly string[], at: Date): Promise<void> {
    const workspace = new Types.ObjectId(workspaceId);
    const keys = toSortedObjectIds(webhookIds).map((_id) => ({ _id, workspaceId: workspace }));
    await this.scheduleAll(keys.map((key) => ({ key, at })));
  }

  /** Enqueues the scheduled runs, after their transaction. Never throws for Redis. */
  async enqueue(workspaceId: string, webhookIds: readonly string[]): Promise<void> {
    const _id = { $in: toSortedObjectIds(webhookIds) };
    await this.enqueueWhere({ workspaceId: new Types.ObjectId(workspaceId), _id });
  }

  /** Enqueues all due webhooks of these workspaces. Never throws for Redis. */
  async enqueueDue(workspaceIds: readonly string[]): Promise<void> {
    const workspaces = workspaceIds.map((id) => new Types.ObjectId(id));
    await this.enqueueWhere({ workspaceId: { $in: workspaces }, nextAt: { $lte: this.clock.now() } });
  }
}

/** Unique and sorted, so that two bulk writes do not deadlock. */
function toSortedObjectIds(ids: readonly string[]): Types.ObjectId[] {
  return [...new Set(ids)].toSorted().map((id) => new Types.ObjectId(id));
}
