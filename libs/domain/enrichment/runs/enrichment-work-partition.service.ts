import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { LeaseRenewalService, TransactionService } from '@platform/database';
import { WorkPartitionService } from '@platform/work-partitions';
import { type Model, Types } from 'mongoose';
import { EnrichmentWorkPartitionRecord } from '../schemas/enrichment-work-partition.record';
import { EnrichmentWorkQueue } from './enrichment-work.queue';

/** Maximum number of work partitions of a workspace, and so of concurrent workers. */
const MAX_PARTITIONS = 4;

/** Leases and next runs of the jobs of a workspace: a few numbered partitions share them. */
@Injectable()
export class EnrichmentWorkPartitionService extends WorkPartitionService<EnrichmentWorkPartitionRecord> {
  constructor(
    @InjectModel(EnrichmentWorkPartitionRecord.name) partitions: Model<EnrichmentWorkPartitionRecord>,
    queue: EnrichmentWorkQueue,
    transactions: TransactionService,
    renewals: LeaseRenewalService,
    clock: ClockPort,
  ) {
    super(partitions, queue, transactions, renewals, clock, 'the worker runs the enrichment jobs of all workspaces');
  }

  /** Schedules work for `workers` workers, at most MAX_PARTITIONS; call it in the transaction that causes the work. */
  async schedule(workspaceId: string, workers: number, at = this.clock.now()): Promise<void> {
    const numbers = Array.from({ length: Math.min(MAX_PARTITIONS, workers) }, (_, number) => number);
    const workspace = new Types.ObjectId(workspaceId);
    await this.scheduleAll(numbers.map((number) => ({ key: { workspaceId: workspace, number }, at })));
  }

  /** Enqueues the scheduled partitions; call it after the transaction. Never throws for Redis. */
  async enqueue(workspaceId: string): Promise<void> {
    await this.enqueueWhere({ workspaceId: new Types.ObjectId(workspaceId) });
  }
}
