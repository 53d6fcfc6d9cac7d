import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { isDuplicateKey, LeaseRenewalService, parseId, toHolderFilter, TransactionService } from '@platform/database';
import { type WorkPartitionLease, WorkPartitionService } from '@platform/work-partitions';
import { type Model, Types } from 'mongoose';
import { MailboxLeaseRecord, type Cooldown } from './schemas/mailbox-lease.record';
import { type Budget, type MailboxLease, type MailboxLeaseState } from './mailbox-lease';
import { MailboxSendQueue } from './mailbox-send.queue';

/** Mailboxes per query. */
const BATCH = 500;
/** Of two concurrent first upserts of a lease one fails; its next attempt finds the record. */
const MAX_UPSERT_ATTEMPTS = 3;

/** The budget of a new lease. */
const UNUSED = {
  lastSentAt: null,
  sentBefore: null,
  day: '',
  dayUsed: 0,
  dayWarmup: 0,
  slots: [],
  recent: [],
  stopped: null,
  cooldown: null,
};

/** How a run of a mailbox ends. */
export interface MailboxRunEnd {
  /** The last handover, which may be later than the claim. */
  readonly lastSentAt?: Date | null;
  /** The run sent nothing, and the next one may send nothing either. Default: unchanged */
  readonly isPoll?: boolean;
  /** Consecutive runs that failed. Default: none */
  readonly failedRuns?: number;
}

/** Mailbox leases: holder, next run and used budget of each mailbox. A mailbox is a work partition. */
@Injectable()
export class MailboxLeaseService extends WorkPartitionService<MailboxLeaseRecord, MailboxLease> {
  protected override readonly acquiredFields = { plannedFor: '$nextAt' };

  constructor(
    @InjectModel(MailboxLeaseRecord.name) private readonly leases: Model<MailboxLeaseRecord>,
    queue: MailboxSendQueue,
    transactions: TransactionService,
    renewals: LeaseRenewalService,
    clock: ClockPort,
  ) {
    super(leases, queue, transactions, renewals, clock, 'the worker sends from the mailboxes of all workspaces');
  }

  /**
   * Schedules a run of each mailbox at `at` (default: now), unless an earlier one is scheduled. One bulk write for any
   * number of mailboxes; outside of transactions (there: `schedule` inside, `enqueue` after it).
   */
  async scheduleNow(workspaceId: string, mailboxIds: readonly string[], at: Date = this.clock.now()): Promise<void> {
    this.requireNoTransaction();
    for (let attempt = 1; ; attempt++) {
      try {
        await this.schedule(workspaceId, mailboxIds, at);
        break;
      } catch (error) {
        if (!isDuplicateKey(error) || attempt === MAX_UPSERT_ATTEMPTS) throw error;
      }
    }
    await this.enqueue(workspaceId, mailboxIds);
  }

  /** The part of `scheduleNow` for the transaction of its cause; an earlier scheduled run stays. */
  async schedule(workspaceId: string, mailboxIds: readonly string[], at: Date): Promise<void> {
    const workspace = new Types.ObjectId(workspaceId);
    const keys = toObjectIds(mailboxIds).map((_id) => ({ _id, workspaceId: workspace }));
    await this.scheduleAll(keys.map((key) => ({ key, at, onInsert: UNUSED })));
  }

  /** The part of `scheduleNow` after the transaction: adds the jobs. Does not throw when Redis is unavailable. */
  async enqueue(workspaceId: string, mailboxIds: readonly string[]): Promise<void> {
    const all = toObjectIds(mailboxIds);
    for (let from = 0; from < all.length; from += BATCH) {
      const _id = { $in: all.slice(from, from + BATCH) };
      await this.enqueueWhere({ workspaceId: new Types.ObjectId(workspaceId), _id });
    }
  }

  /**
   * Releases the lease and schedules the next run: at `nextAt` (null: none), or earlier if an earlier run was requested
   * since the lease was acquired. False when the lease was lost: then its new holder schedules. Outside of transactions.
   */
  override async complete(
    lease: MailboxLease,
    nextAt: Date | null,
    { lastSentAt = null, isPoll = lease.isPoll, failedRuns = 0 }: MailboxRunEnd = {},
  ): Promise<boolean> {
    const fields = { lastSentAt: { $max: [lastSentAt, '$lastSentAt'] }, isPoll }; // null is ignored here
    return this.release(lease, { nextAt, failedRuns, fields });
  }

  /**
   * Writes the mailbox's used budget, which grows with a claim and shrinks with a release; joins the running transaction.
   * False when the lease was lost: then nothing was written, and the transaction must not commit.
   * @param unlessStopped also false when the mailbox was stopped since the lease was acquired
   */
  async writeBudget(
    lease: MailboxLease,
    { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent }: Budget,
    { unlessStopped = false }: { unlessStopped?: boolean } = {},
  ): Promise<boolean> {
    const filter = { ...toHolderFilter(lease.mailboxId, lease), ...(unlessStopped && { stopped: null }) };
    const { matchedCount } = await this.leases.updateOne(filter, {
      $set: { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots: [...slots], recent: [...recent] },
    });
    return matchedCount === 1;
  }

  /**
   * Starts the cooldown that the mailbox's server asks for, or ends it with null. Joins the running transaction. False when
   * the lease was lost: then nothing was written, and the transaction must not commit.
   */
  async startCooldown(lease: MailboxLease, cooldown: Cooldown | null): Promise<boolean> {
    const { matchedCount } = await this.leases.updateOne(toHolderFilter(lease.mailboxId, lease), {
      $set: { cooldown },
    });
    return matchedCount === 1;
  }

  /** Stops sending from the mailbox until `clearStop`, for the reason that its server gave. Joins the running transaction. */
  async stop(
    workspaceId: string,
    mailboxId: string,
    { code, message }: { code: string; message: string },
  ): Promise<void> {
    const stopped = { code, message, at: this.clock.now() };
    await this.leases.updateOne({ _id: parseId(mailboxId), workspaceId }, { $set: { stopped, cooldown: null } });
  }

  /** Clears the stop; false when the mailbox was not stopped. The caller schedules a run. Joins the running transaction. */
  async clearStop(workspaceId: string, mailboxId: string): Promise<boolean> {
    const { modifiedCount } = await this.leases.updateOne(
      { _id: parseId(mailboxId), workspaceId, stopped: { $ne: null } },
      { $set: { stopped: null } },
    );
    return modifiedCount === 1;
  }

  /** Returns the lease states by mailbox id, without mailboxes for which no run was ever scheduled. */
  async findStates(workspaceId: string, mailboxIds: readonly string[]): Promise<Map<string, MailboxLeaseState>> {
    const found = await this.leases
      .find({ workspaceId, _id: { $in: toObjectIds(mailboxIds) } })
      .lean<MailboxLeaseRecord[]>();
    return new Map(found.map((record) => [record._id.toHexString(), toMailboxLeaseState(record)]));
  }

  protected override toLease(lease: WorkPartitionLease, record: MailboxLeaseRecord): MailboxLease {
    return { ...toMailboxLeaseState(record), ...lease, plannedFor: record.plannedFor ?? null };
  }
}

/** Unique ids in a fixed order, so that two bulk writes cannot deadlock. */
function toObjectIds(ids: readonly string[]): Types.ObjectId[] {
  return [...new Set(ids)].toSorted().map((id) => new Types.ObjectId(id));
}

function toMailboxLeaseState(record: MailboxLeaseRecord): MailboxLeaseState {
  const { _id, nextAt = null, isPoll = false, stopped, cooldown = null, lastSentAt, sentBefore = null } = record;
  const { day, dayUsed, dayWarmup = 0, slots, recent } = record;
  const budget = { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent };
  return { mailboxId: _id.toHexString(), nextAt, isPoll, stopped, cooldown, ...budget };
}
