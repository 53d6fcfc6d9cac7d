import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { dueRecords, isDuplicateKey, parseId, rerunOnWriteConflict, TransactionService } from '@platform/database';
import { type Sweep } from '@platform/queues';
import { type Model, Types } from 'mongoose';
import { MailboxLeaseRecord, type Cooldown } from './schemas/mailbox-lease.record';
import { type Budget, type MailboxLease, type MailboxLeaseState } from './mailbox-lease';
import { type ScheduledRun, MailboxSendQueue } from './mailbox-send.queue';

/** Mailboxes per query. */
const BATCH = 500;
/** How late a run may be before the sweep adds its job again. */
const SWEEP_AFTER_MS = 3_000;
/** Of two concurrent first upserts of a lease one fails; its next attempt finds the record. */
const MAX_UPSERT_ATTEMPTS = 3;

const WORKER = 'the worker sends from the mailboxes of all workspaces';
/** The fields of a new lease. */
const NEW_LEASE = {
  holder: '',
  fence: 0,
  leaseUntil: new Date(0),
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
const PLANNED = { workspaceId: 1, nextAt: 1, fence: 1 } as const;
type Planned = Pick<MailboxLeaseRecord, '_id' | 'workspaceId' | 'nextAt' | 'fence'>;

/** Mailbox leases: holder, next run and used budget of each mailbox. */
@Injectable()
export class MailboxLeaseService implements Sweep {
  readonly name = 'mailbox-send';

  constructor(
    @InjectModel(MailboxLeaseRecord.name) private readonly leases: Model<MailboxLeaseRecord>,
    private readonly queue: MailboxSendQueue,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Schedules a run of each mailbox at `at` (default: now), unless an earlier one is scheduled. One bulk write for any
   * number of mailboxes; outside of transactions (there: `schedule` inside, `enqueue` after it).
   */
  async scheduleNow(workspaceId: string, mailboxIds: readonly string[], at: Date = this.clock.now()): Promise<void> {
    this.#requireNoTransaction('scheduleNow');
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#upsert(workspaceId, mailboxIds, at);
        break;
      } catch (error) {
        if (!isDuplicateKey(error) || attempt === MAX_UPSERT_ATTEMPTS) throw error;
      }
    }
    await this.enqueue(workspaceId, mailboxIds);
  }

  /** The part of `scheduleNow` for the transaction of its cause; an earlier scheduled run stays. */
  async schedule(workspaceId: string, mailboxIds: readonly string[], at: Date): Promise<void> {
    await rerunOnWriteConflict(() => this.#upsert(workspaceId, mailboxIds, at));
  }

  /** The part of `scheduleNow` after the transaction: adds the jobs. Does not throw when Redis is unavailable. */
  async enqueue(workspaceId: string, mailboxIds: readonly string[]): Promise<void> {
    this.#requireNoTransaction('enqueue');
    for (const _id of listBatches(toObjectIds(mailboxIds))) {
      const found = await this.leases.find({ workspaceId, _id: { $in: _id } }, PLANNED).lean<Planned[]>();
      await this.queue.enqueue(found.flatMap(toScheduledRuns));
    }
  }

  /**
   * Acquires the lease of a mailbox for `leaseMs` milliseconds by the database's clock. Null while another worker holds it
   * and when no run was ever scheduled. The mailbox stays due until `complete`: if this process crashes, the sweep repeats
   * the run after the lease has expired.
   */
  async acquire(mailboxId: string, leaseMs: number): Promise<MailboxLease | null> {
    const holder = randomUUID();
    const now = this.clock.now();
    const after = await this.leases.findOneAndUpdate(
      { _id: parseId(mailboxId) },
      [
        {
          $set: {
            holder: toValueIfFree(holder, '$holder'),
            fence: toValueIfFree({ $add: ['$fence', 1] }, '$fence'),
            leaseUntil: toValueIfFree({ $add: ['$$NOW', leaseMs] }, '$leaseUntil'),
            nextAt: toValueIfFree({ $min: ['$nextAt', now] }, '$nextAt'),
            plannedFor: toValueIfFree('$nextAt', '$plannedFor'),
            requestedFor: toValueIfFree(null, '$requestedFor'),
          },
        },
      ],
      { returnDocument: 'after', lean: true, updatePipeline: true, timestamps: false, allWorkspaces: WORKER },
    );
    return after?.holder === holder ? toMailboxLease(after) : null;
  }

  /** Extends the lease to `leaseMs` milliseconds from now; false when it was lost: then nothing more may be sent under it. */
  async renew(lease: MailboxLease, leaseMs: number): Promise<boolean> {
    const { matchedCount } = await this.leases.updateOne(
      toHolderFilter(lease),
      [{ $set: { leaseUntil: { $add: ['$$NOW', leaseMs] } } }],
      { updatePipeline: true },
    );
    return matchedCount === 1;
  }

  /**
   * Releases the lease and schedules the next run: at `nextAt` (null: none), or earlier if an earlier run was requested
   * since the lease was acquired. False when the lease was lost: then its new holder schedules. Outside of transactions.
   * @param lastSentAt the last handover, which may be later than the claim
   * @param isPoll the run sent nothing, and the next one may send nothing either. Default: unchanged
   */
  async complete(
    lease: MailboxLease,
    nextAt: Date | null,
    { lastSentAt = null, isPoll = lease.isPoll }: { lastSentAt?: Date | null; isPoll?: boolean } = {},
  ): Promise<boolean> {
    this.#requireNoTransaction('complete');
    const ended = await this.leases
      .findOneAndUpdate(
        toHolderFilter(lease),
        [
          {
            $set: {
              holder: '',
              fence: { $add: ['$fence', 1] },
              leaseUntil: new Date(0),
              nextAt: { $min: [nextAt, '$requestedFor'] }, // null is ignored here
              lastSentAt: { $max: [lastSentAt, '$lastSentAt'] }, // and here
              requestedFor: null,
              isPoll,
            },
          },
        ],
        { returnDocument: 'after', updatePipeline: true, projection: PLANNED },
      )
      .lean<Planned | null>();
    if (ended) await this.queue.enqueue(toScheduledRuns(ended));
    return ended !== null;
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
    const filter = { ...toHolderFilter(lease), ...(unlessStopped && { stopped: null }) };
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
    const { matchedCount } = await this.leases.updateOne(toHolderFilter(lease), { $set: { cooldown } });
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

  /** Adds the job of each mailbox that is due and not leased: Redis may have lost it. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of dueRecords(this.leases, this.clock.in(-SWEEP_AFTER_MS), WORKER)) {
      created += await this.queue.addMissing(page.filter(({ isLeased }) => !isLeased).flatMap(toScheduledRuns));
    }
    return created;
  }

  async #upsert(workspaceId: string, mailboxIds: readonly string[], at: Date): Promise<void> {
    if (mailboxIds.length === 0) return;
    const now = this.clock.now();
    await this.leases.bulkWrite(
      toObjectIds(mailboxIds).map((_id) => ({
        updateOne: {
          filter: { _id, workspaceId: new Types.ObjectId(workspaceId) },
          update: [{ $set: toUpsert(at, now) }],
          upsert: true,
          timestamps: false,
          setDefaultsOnInsert: false,
        },
      })),
      { ordered: false },
    );
  }

  #requireNoTransaction(method: string): void {
    // A job must not start before its cause is committed, nor be added again when a transaction runs again.
    if (this.transactions.running)
      throw new Error(`MailboxLeaseService.${method} was called inside a transaction; call it afterwards`);
  }
}

/** Matches only while this lease is held: not after its release or its acquisition by another worker. */
function toHolderFilter({ mailboxId, workspaceId, holder, fence }: MailboxLease) {
  return { _id: new Types.ObjectId(mailboxId), workspaceId, holder, fence };
}

/** Unique ids in a fixed order, so that two bulk writes cannot deadlock. */
function toObjectIds(ids: readonly string[]): Types.ObjectId[] {
  return [...new Set(ids)].toSorted().map((id) => new Types.ObjectId(id));
}

function* listBatches<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH);
}

/** Keeps existing fields and sets the missing ones to their defaults. */
function toUpsert(at: Date, now: Date) {
  const defaults = { ...NEW_LEASE, createdAt: now };
  const fields = Object.entries(defaults).map(([name, value]) => [name, { $ifNull: [`$${name}`, value] }]);
  return {
    ...(Object.fromEntries(fields) as Record<string, unknown>),
    nextAt: { $min: ['$nextAt', at] }, // null is ignored here
    requestedFor: { $min: ['$requestedFor', at] },
    updatedAt: now,
  };
}

function toScheduledRuns({ _id, workspaceId, nextAt, fence }: Planned): ScheduledRun[] {
  if (!nextAt) return [];
  return [{ workspaceId: workspaceId.toHexString(), mailboxId: _id.toHexString(), nextAt, fence }];
}

function toMailboxLease(record: MailboxLeaseRecord): MailboxLease {
  const { workspaceId, holder, fence, plannedFor } = record;
  return { ...toMailboxLeaseState(record), workspaceId: workspaceId.toHexString(), holder, fence, plannedFor };
}

/** Chooses by the database's clock whether the lease is free; in the update, as not every server knows $$NOW in a filter. */
function toValueIfFree(value: unknown, otherwise: unknown) {
  return { $cond: [{ $lte: ['$leaseUntil', '$$NOW'] }, value, otherwise] };
}

function toMailboxLeaseState(record: MailboxLeaseRecord): MailboxLeaseState {
  const { _id, nextAt, isPoll = false, stopped, cooldown = null, lastSentAt, sentBefore = null } = record;
  const { day, dayUsed, dayWarmup = 0, slots, recent } = record;
  const budget = { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent };
  return { mailboxId: _id.toHexString(), nextAt, isPoll, stopped, cooldown, ...budget };
}
