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

/** How late a lane may be before the sweep asks for its job. */
const SWEEP_AFTER_MS = 3_000;

const WORKER = 'the worker works with the CRMs of all workspaces';

export type CrmPartitionState = Pick<CrmWorkPartitionRecord, 'restUntil' | 'strikes' | 'forgets'>;

/** Which worker works with which CRM of which workspace: one at a time, so that what the vendor allows is not asked for by two. */
@Injectable()
export class CrmWorkPartitionService implements Sweep {
  readonly name = 'crm-lane';

  constructor(
    @InjectModel(CrmWorkPartitionRecord.name) private readonly lanes: Model<CrmWorkPartitionRecord>,
    private readonly queue: CrmWorkQueue,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** There is something to do, now or at that time: in the transaction of its cause; `announce` comes after it. */
  async schedule(workspaceId: string, crmType: CrmType, at = this.clock.now()): Promise<void> {
    await this.#change(workspaceId, crmType, { $min: { nextAt: at, wokenFor: at } });
  }

  /** The connection was removed: the lane forgets the people of its account. In the transaction of the removal. */
  async scheduleWithReset(workspaceId: string, crmType: CrmType): Promise<void> {
    const at = this.clock.now();
    await this.#change(workspaceId, crmType, { $min: { nextAt: at, wokenFor: at }, $set: { forgets: true } });
  }

  /** It is connected (again): what the lane rested for is over. In the transaction of that. */
  async scheduleNowInTransaction(workspaceId: string, crmType: CrmType): Promise<void> {
    const at = this.clock.now();
    const awake = { $min: { nextAt: at, wokenFor: at }, $set: { restUntil: null, strikes: 0 } };
    await this.lanes.updateOne({ workspaceId, crmType }, awake);
  }

  /** Asks for the turn that was planted; after its transaction. Never throws for Redis. */
  async enqueue(workspaceId: string, crmType: CrmType): Promise<void> {
    // Jobs must not come before what they are for, and must not be added again when a transaction runs again.
    if (this.transactions.running)
      throw new Error('CrmLanes.announce was called inside a transaction; call it afterwards');
    const lane = await this.lanes.findOne({ workspaceId, crmType }, SCHEDULED_RUN_FIELDS).lean<ScheduledRun>();
    if (lane) await this.queue.enqueue(plannedOf(lane));
  }

  /** Both, for a cause that is on record already. Not inside a transaction. */
  async scheduleNow(workspaceId: string, crmType: CrmType, at = this.clock.now()): Promise<void> {
    await this.schedule(workspaceId, crmType, at);
    await this.enqueue(workspaceId, crmType);
  }

  /**
   * The lane for `leaseMs` milliseconds by the database's clock, or null while somebody else has it. It counts as due until
   * `end`: when this process dies, the sweep repeats the turn after the lease.
   */
  async acquire(laneId: string, leaseMs: number): Promise<(CrmPartitionLease & CrmPartitionState) | null> {
    const held = await acquireRecordLease(this.lanes, laneId, { leaseMs, now: this.clock.now(), why: WORKER });
    if (!held) return null;
    const lane = await this.lanes
      .findOne({ _id: laneId, workspaceId: held.workspaceId, holder: held.holder })
      .lean<CrmWorkPartitionRecord>();
    if (!lane) return null;
    const { crmType, restUntil, strikes, forgets = false } = lane;
    return { laneId, ...held, crmType, restUntil, strikes, forgets };
  }

  /** Holds the lane for `leaseMs` more milliseconds; false when it was lost, and then nothing more may be begun in it. */
  async renew(lane: CrmPartitionLease, leaseMs: number): Promise<boolean> {
    return renewRecordLease(this.lanes, lane.laneId, lane, leaseMs);
  }

  /** Keeps what was learnt in this turn; without effect when it was lost. */
  async recordState(lane: CrmPartitionLease, state: Partial<CrmPartitionState>): Promise<void> {
    const { laneId, workspaceId, holder, fence } = lane;
    await this.lanes.updateOne({ _id: laneId, workspaceId, holder, fence }, { $set: state });
  }

  /**
   * Ends the turn and plans the next one: at `nextAt` (null: none), or earlier if it was woken for an earlier time since the
   * turn began. False when it was lost: then whoever has it plans. Not inside a transaction.
   */
  async complete(lane: CrmPartitionLease, nextAt: Date | null): Promise<boolean> {
    const ended = await releaseRecordLease(this.lanes, lane.laneId, lane, nextAt);
    if (ended) await this.queue.enqueue(plannedOf(ended));
    return ended !== null;
  }

  /** Gives every lane that has something due, and that nobody holds, its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of dueRecords(this.lanes, this.clock.in(-SWEEP_AFTER_MS), WORKER)) {
      created += await this.queue.addMissing(page.filter(({ held }) => !held).flatMap(plannedOf));
    }
    return created;
  }

  async #change(workspaceId: string, crmType: CrmType, update: Record<string, unknown>): Promise<void> {
    const unheld = { holder: '', fence: 0, leaseUntil: NO_LEASE, restUntil: null, strikes: 0 };
    const place = { workspaceId: new Types.ObjectId(workspaceId), crmType };
    await rerunOnWriteConflict(() =>
      this.lanes.updateOne(
        place,
        { ...update, $inc: { planted: 1 }, $setOnInsert: unheld },
        { upsert: true, setDefaultsOnInsert: false },
      ),
    );
  }
}

function plannedOf({ _id, workspaceId, nextAt, fence }: ScheduledRun): ScheduledCrmPartition[] {
  if (!nextAt) return [];
  return [{ workspaceId: workspaceId.toHexString(), laneId: _id.toHexString(), nextAt, fence }];
}
