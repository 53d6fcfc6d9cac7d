import { type CrmType } from '@adapters/crm';
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
import { type CrmPartitionLease } from './crm-partition-lease';
import { CrmWorkQueue, type ScheduledCrmPartition } from './crm-work.queue';
import { CrmWorkPartitionRecord } from './schemas/crm-work-partition.record';

/** How overdue a partition is before the sweep enqueues it. */
const SWEEP_AFTER_MS = 3_000;

const WORKER = 'the worker works with the CRMs of all workspaces';

export type CrmPartitionState = Pick<CrmWorkPartitionRecord, 'cooldownUntil' | 'failures' | 'deletesLinks'>;

/** Leases and next runs of CRM accounts: one worker per account, so that the vendor's limits hold. */
@Injectable()
export class CrmWorkPartitionService implements Sweep {
  readonly name = 'crm-work';

  constructor(
    @InjectModel(CrmWorkPartitionRecord.name) private readonly partitions: Model<CrmWorkPartitionRecord>,
    private readonly queue: CrmWorkQueue,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Schedules a run; call it in the transaction of the cause, and `enqueue` after it. */
  async schedule(workspaceId: string, crmType: CrmType, at = this.clock.now()): Promise<void> {
    await this.#upsert(workspaceId, crmType, { $min: { nextAt: at, requestedFor: at } });
  }

  /** Schedules the removal of the account's links, in the transaction that removes the connection. */
  async scheduleWithReset(workspaceId: string, crmType: CrmType): Promise<void> {
    const at = this.clock.now();
    await this.#upsert(workspaceId, crmType, { $min: { nextAt: at, requestedFor: at }, $set: { deletesLinks: true } });
  }

  /** Ends the cooldown and schedules a run, in the transaction that connects. */
  async scheduleNowInTransaction(workspaceId: string, crmType: CrmType): Promise<void> {
    const at = this.clock.now();
    const awake = { $min: { nextAt: at, requestedFor: at }, $set: { cooldownUntil: null, failures: 0 } };
    await this.partitions.updateOne({ workspaceId, crmType }, awake);
  }

  /** Enqueues the scheduled run, after its transaction. Never throws for Redis. */
  async enqueue(workspaceId: string, crmType: CrmType): Promise<void> {
    // A job must not precede its data, and a retried transaction must not add it twice.
    if (this.transactions.running)
      throw new Error('enqueue was called inside a transaction; call it after the transaction');
    const lease = await this.partitions.findOne({ workspaceId, crmType }, SCHEDULED_RUN_FIELDS).lean<ScheduledRun>();
    if (lease) await this.queue.enqueue(toScheduledPartitions(lease));
  }

  /** Schedules and enqueues a run. Not inside a transaction. */
  async scheduleNow(workspaceId: string, crmType: CrmType, at = this.clock.now()): Promise<void> {
    await this.schedule(workspaceId, crmType, at);
    await this.enqueue(workspaceId, crmType);
  }

  /**
   * Leases the partition for `leaseMs` milliseconds by the database clock; null while another worker holds it. It
   * stays due until `complete`, so that after a crash the sweep repeats the run.
   */
  async acquire(laneId: string, leaseMs: number): Promise<(CrmPartitionLease & CrmPartitionState) | null> {
    const held = await acquireRecordLease(this.partitions, laneId, { leaseMs, now: this.clock.now(), why: WORKER });
    if (!held) return null;
    const lease = await this.partitions
      .findOne({ _id: laneId, workspaceId: held.workspaceId, holder: held.holder })
      .lean<CrmWorkPartitionRecord>();
    if (!lease) return null;
    const { crmType, cooldownUntil, failures, deletesLinks = false } = lease;
    return { partitionId: laneId, ...held, crmType, cooldownUntil, failures, deletesLinks };
  }

  /** Renews the lease for `leaseMs` milliseconds; false when it was lost: nothing more may start then. */
  async renew(lease: CrmPartitionLease, leaseMs: number): Promise<boolean> {
    return renewRecordLease(this.partitions, lease.partitionId, lease, leaseMs);
  }

  /** Stores the state of the partition; no effect when the lease was lost. */
  async recordState(lease: CrmPartitionLease, state: Partial<CrmPartitionState>): Promise<void> {
    const { partitionId: laneId, workspaceId, holder, fence } = lease;
    await this.partitions.updateOne({ _id: laneId, workspaceId, holder, fence }, { $set: state });
  }

  /**
   * Ends the run and schedules the next one at `nextAt` (null: none), or earlier when one was requested meanwhile.
   * False when the lease was lost: its new holder schedules. Not inside a transaction.
   */
  async complete(lease: CrmPartitionLease, nextAt: Date | null): Promise<boolean> {
    const ended = await releaseRecordLease(this.partitions, lease.partitionId, lease, nextAt);
    if (ended) await this.queue.enqueue(toScheduledPartitions(ended));
    return ended !== null;
  }

  /** Enqueues each due partition without a lease holder: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of dueRecords(this.partitions, this.clock.in(-SWEEP_AFTER_MS), WORKER)) {
      created += await this.queue.addMissing(page.filter(({ isLeased }) => !isLeased).flatMap(toScheduledPartitions));
    }
    return created;
  }

  async #upsert(workspaceId: string, crmType: CrmType, update: Record<string, unknown>): Promise<void> {
    const unheld = { holder: '', fence: 0, leaseUntil: NO_LEASE, cooldownUntil: null, failures: 0 };
    const place = { workspaceId: new Types.ObjectId(workspaceId), crmType };
    await rerunOnWriteConflict(() =>
      this.partitions.updateOne(
        place,
        { ...update, $inc: { revision: 1 }, $setOnInsert: unheld },
        { upsert: true, setDefaultsOnInsert: false },
      ),
    );
  }
}

function toScheduledPartitions({ _id, workspaceId, nextAt, fence }: ScheduledRun): ScheduledCrmPartition[] {
  if (!nextAt) return [];
  return [{ workspaceId: workspaceId.toHexString(), laneId: _id.toHexString(), nextAt, fence }];
}
