import { type CrmType } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { LeaseRenewalService, TransactionService } from '@platform/database';
import { type WorkPartitionLease, WorkPartitionService } from '@platform/work-partitions';
import { type Model, Types } from 'mongoose';
import { CrmWorkQueue } from './crm-work.queue';
import { CrmWorkPartitionRecord } from './schemas/crm-work-partition.record';

export type CrmPartitionState = Pick<CrmWorkPartitionRecord, 'crmType' | 'cooldownUntil' | 'failures' | 'deletesLinks'>;

const NEW_PARTITION = { cooldownUntil: null, failures: 0 };

/** Leases and next runs of CRM accounts: one worker per account, so that the vendor's limits hold. */
@Injectable()
export class CrmWorkPartitionService extends WorkPartitionService<CrmWorkPartitionRecord> {
  constructor(
    @InjectModel(CrmWorkPartitionRecord.name) partitions: Model<CrmWorkPartitionRecord>,
    queue: CrmWorkQueue,
    transactions: TransactionService,
    renewals: LeaseRenewalService,
    clock: ClockPort,
  ) {
    super(partitions, queue, transactions, renewals, clock, 'the worker works with the CRMs of all workspaces');
  }

  /** Schedules a run; call it in the transaction of the cause, and `enqueue` after it. */
  async schedule(workspaceId: string, crmType: CrmType, at = this.clock.now()): Promise<void> {
    await this.#schedule(workspaceId, crmType, at, {});
  }

  /** Schedules the removal of the account's links, in the transaction that removes the connection. */
  async scheduleWithReset(workspaceId: string, crmType: CrmType): Promise<void> {
    await this.#schedule(workspaceId, crmType, this.clock.now(), { $set: { deletesLinks: true } });
  }

  /** Ends the cooldown and schedules a run, in the transaction that connects. */
  async scheduleNowInTransaction(workspaceId: string, crmType: CrmType): Promise<void> {
    const at = this.clock.now();
    const awake = { $min: { nextAt: at, requestedFor: at }, $set: NEW_PARTITION };
    await this.partitions.updateOne({ workspaceId, crmType }, awake);
  }

  /** Enqueues the scheduled run, after its transaction. Never throws for Redis. */
  async enqueue(workspaceId: string, crmType: CrmType): Promise<void> {
    await this.enqueueWhere({ workspaceId: new Types.ObjectId(workspaceId), crmType });
  }

  /** Schedules and enqueues a run. Not inside a transaction. */
  async scheduleNow(workspaceId: string, crmType: CrmType, at = this.clock.now()): Promise<void> {
    await this.schedule(workspaceId, crmType, at);
    await this.enqueue(workspaceId, crmType);
  }

  /** The state of a leased partition; null when the lease was lost. */
  async readState({ partitionId: _id, workspaceId, holder }: WorkPartitionLease): Promise<CrmPartitionState | null> {
    return this.partitions
      .findOne({ _id, workspaceId, holder }, { crmType: 1, cooldownUntil: 1, failures: 1, deletesLinks: 1 })
      .lean<CrmPartitionState | null>();
  }

  /** Stores the state of the partition; no effect when the lease was lost. */
  async recordState(lease: WorkPartitionLease, state: Partial<CrmPartitionState>): Promise<void> {
    const { partitionId: _id, workspaceId, holder, fence } = lease;
    await this.partitions.updateOne({ _id, workspaceId, holder, fence }, { $set: state });
  }

  async #schedule(workspaceId: string, crmType: CrmType, at: Date, update: object): Promise<void> {
    const key = { workspaceId: new Types.ObjectId(workspaceId), crmType };
    const revised = { ...update, $inc: { revision: 1 } };
    await this.scheduleAll([{ key, at, update: revised, onInsert: NEW_PARTITION }]);
  }
}
