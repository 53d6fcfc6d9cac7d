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

/** Mailboxes that are read at once. */
const BATCH = 500;
/** How late a turn may be before the sweep asks for its job. */
const SWEEP_AFTER_MS = 3_000;
/** Two who plant a mailbox's first turn at once: one of them finds it planted the next time. */
const PLANT_TRIES = 3;

const WORKER = 'the worker looks after the mailboxes of all workspaces';
/** Of a mailbox that has had no turn yet. */
const UNUSED = {
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
  rest: null,
};
const PLANNED = { workspaceId: 1, nextAt: 1, fence: 1 } as const;
type Planned = Pick<MailboxLeaseRecord, '_id' | 'workspaceId' | 'nextAt' | 'fence'>;

/** Whose turn it is in each mailbox, when the next one is, and what the mailbox has used of its budget. */
@Injectable()
export class MailboxLeaseService implements Sweep {
  readonly name = 'mailbox-turn';

  constructor(
    @InjectModel(MailboxLeaseRecord.name) private readonly turns: Model<MailboxLeaseRecord>,
    private readonly queue: MailboxSendQueue,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * The mailboxes can do something at `at` (default: now): makes sure that each has a turn then, or earlier. One bulk write,
   * however many; not inside a transaction (there: `plant` inside, `announce` after it).
   */
  async scheduleNow(workspaceId: string, mailboxIds: readonly string[], at: Date = this.clock.now()): Promise<void> {
    this.#refuseTransaction('wake');
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#plant(workspaceId, mailboxIds, at);
        break;
      } catch (error) {
        if (!isDuplicateKey(error) || attempt === PLANT_TRIES) throw error;
      }
    }
    await this.enqueue(workspaceId, mailboxIds);
  }

  /** The part of `wake` that belongs into the transaction of its cause: an earlier turn that was planned stays. */
  async schedule(workspaceId: string, mailboxIds: readonly string[], at: Date): Promise<void> {
    await rerunOnWriteConflict(() => this.#plant(workspaceId, mailboxIds, at));
  }

  /** The part of `wake` that comes after the transaction: asks for the planted turns. Never throws for Redis. */
  async enqueue(workspaceId: string, mailboxIds: readonly string[]): Promise<void> {
    this.#refuseTransaction('announce');
    for (const _id of batches(objectIds(mailboxIds))) {
      const found = await this.turns.find({ workspaceId, _id: { $in: _id } }, PLANNED).lean<Planned[]>();
      await this.queue.enqueue(found.flatMap(plannedOf));
    }
  }

  /**
   * The turn in a mailbox for `leaseMs` milliseconds by the database's clock, or null while somebody else has it or when
   * the mailbox was never woken. The mailbox counts as due until `end`: when this process dies, the sweep repeats the turn
   * after the lease.
   */
  async acquire(mailboxId: string, leaseMs: number): Promise<MailboxLease | null> {
    const holder = randomUUID();
    const now = this.clock.now();
    const after = await this.turns.findOneAndUpdate(
      { _id: parseId(mailboxId) },
      [
        {
          $set: {
            holder: ifFree(holder, '$holder'),
            fence: ifFree({ $add: ['$fence', 1] }, '$fence'),
            leaseUntil: ifFree({ $add: ['$$NOW', leaseMs] }, '$leaseUntil'),
            nextAt: ifFree({ $min: ['$nextAt', now] }, '$nextAt'),
            plannedFor: ifFree('$nextAt', '$plannedFor'),
            wokenFor: ifFree(null, '$wokenFor'),
          },
        },
      ],
      { returnDocument: 'after', lean: true, updatePipeline: true, timestamps: false, allWorkspaces: WORKER },
    );
    return after?.holder === holder ? turnOf(after) : null;
  }

  /** Holds the turn for `leaseMs` more milliseconds; false when it was lost, and then nothing more may be done in it. */
  async renew(turn: MailboxLease, leaseMs: number): Promise<boolean> {
    const { matchedCount } = await this.turns.updateOne(
      heldBy(turn),
      [{ $set: { leaseUntil: { $add: ['$$NOW', leaseMs] } } }],
      { updatePipeline: true },
    );
    return matchedCount === 1;
  }

  /**
   * Ends the turn and plans the next one: at `nextAt` (null: none), or earlier if the mailbox was woken for an earlier
   * time since the turn began. False when the turn was lost: then whoever has it plans. Not inside a transaction.
   * @param lastSentAt when its last email was given away, which may be later than the claim
   * @param isTrial nothing came of it, and nothing may come of the next one. Default: as it was
   */
  async complete(
    turn: MailboxLease,
    nextAt: Date | null,
    { lastSentAt = null, isTrial = turn.isTrial }: { lastSentAt?: Date | null; isTrial?: boolean } = {},
  ): Promise<boolean> {
    this.#refuseTransaction('end');
    const ended = await this.turns
      .findOneAndUpdate(
        heldBy(turn),
        [
          {
            $set: {
              holder: '',
              fence: { $add: ['$fence', 1] },
              leaseUntil: new Date(0),
              nextAt: { $min: [nextAt, '$wokenFor'] }, // null is ignored here
              lastSentAt: { $max: [lastSentAt, '$lastSentAt'] }, // and here
              wokenFor: null,
              isTrial,
            },
          },
        ],
        { returnDocument: 'after', updatePipeline: true, projection: PLANNED },
      )
      .lean<Planned | null>();
    if (ended) await this.queue.enqueue(plannedOf(ended));
    return ended !== null;
  }

  /**
   * Writes what the mailbox has used of its budget, more (an email is claimed) or less (it was given back); joins the
   * running transaction. False when the turn was lost: then nothing was written, and the transaction must not commit.
   * @param unlessStopped also false when the mailbox was stopped since the turn began
   */
  async writeBudget(
    turn: MailboxLease,
    { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent }: Budget,
    { unlessStopped = false }: { unlessStopped?: boolean } = {},
  ): Promise<boolean> {
    const held = { ...heldBy(turn), ...(unlessStopped && { stopped: null }) };
    const { matchedCount } = await this.turns.updateOne(held, {
      $set: { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots: [...slots], recent: [...recent] },
    });
    return matchedCount === 1;
  }

  /**
   * The server wants nothing from the mailbox until then, whoever has its turn; null when it takes emails again. Joins the
   * running transaction. False when the turn was lost: then nothing was written, and the transaction must not commit.
   */
  async startCooldown(turn: MailboxLease, rest: Cooldown | null): Promise<boolean> {
    const { matchedCount } = await this.turns.updateOne(heldBy(turn), { $set: { rest } });
    return matchedCount === 1;
  }

  /** The mailbox sends nothing more until `clearStop`: its server said why. Joins the running transaction. */
  async stop(
    workspaceId: string,
    mailboxId: string,
    { code, message }: { code: string; message: string },
  ): Promise<void> {
    const stopped = { code, message, at: this.clock.now() };
    await this.turns.updateOne({ _id: parseId(mailboxId), workspaceId }, { $set: { stopped, rest: null } });
  }

  /** Lets the mailbox send again; false when it was not stopped. The caller wakes it. Joins the running transaction. */
  async clearStop(workspaceId: string, mailboxId: string): Promise<boolean> {
    const { modifiedCount } = await this.turns.updateOne(
      { _id: parseId(mailboxId), workspaceId, stopped: { $ne: null } },
      { $set: { stopped: null } },
    );
    return modifiedCount === 1;
  }

  /** Budgets and plans of mailboxes, by mailbox id; one that was never woken is not in it. */
  async statesOf(workspaceId: string, mailboxIds: readonly string[]): Promise<Map<string, MailboxLeaseState>> {
    const found = await this.turns
      .find({ workspaceId, _id: { $in: objectIds(mailboxIds) } })
      .lean<MailboxLeaseRecord[]>();
    return new Map(found.map((record) => [record._id.toHexString(), stateOf(record)]));
  }

  /** Gives every mailbox whose turn is due, and that nobody holds, its job again: Redis may have been emptied. */
  async sweep(): Promise<number> {
    let created = 0;
    for await (const page of dueRecords(this.turns, this.clock.in(-SWEEP_AFTER_MS), WORKER)) {
      created += await this.queue.addMissing(page.filter(({ held }) => !held).flatMap(plannedOf));
    }
    return created;
  }

  async #plant(workspaceId: string, mailboxIds: readonly string[], at: Date): Promise<void> {
    if (mailboxIds.length === 0) return;
    const now = this.clock.now();
    await this.turns.bulkWrite(
      objectIds(mailboxIds).map((_id) => ({
        updateOne: {
          filter: { _id, workspaceId: new Types.ObjectId(workspaceId) },
          update: [{ $set: planted(at, now) }],
          upsert: true,
          timestamps: false,
          setDefaultsOnInsert: false,
        },
      })),
      { ordered: false },
    );
  }

  #refuseTransaction(what: string): void {
    // Jobs must not come before what they are for, and must not be added again when a transaction runs again.
    if (this.transactions.running) throw new Error(`Turns.${what} was called inside a transaction; call it afterwards`);
  }
}

/** Only the holder's filter: without effect as soon as somebody else took the turn, or it ended. */
function heldBy({ mailboxId, workspaceId, holder, fence }: MailboxLease) {
  return { _id: new Types.ObjectId(mailboxId), workspaceId, holder, fence };
}

/** Each once, and in one order for all, so that two bulk writes do not wait for each other. */
function objectIds(ids: readonly string[]): Types.ObjectId[] {
  return [...new Set(ids)].toSorted().map((id) => new Types.ObjectId(id));
}

function* batches<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += BATCH) yield all.slice(from, from + BATCH);
}

/** The first turn of a mailbox: what is there stays, what is not gets its default. */
function planted(at: Date, now: Date) {
  const kept = { ...UNUSED, createdAt: now };
  const fields = Object.entries(kept).map(([name, value]) => [name, { $ifNull: [`$${name}`, value] }]);
  return {
    ...(Object.fromEntries(fields) as Record<string, unknown>),
    nextAt: { $min: ['$nextAt', at] }, // null is ignored here
    wokenFor: { $min: ['$wokenFor', at] },
    updatedAt: now,
  };
}

function plannedOf({ _id, workspaceId, nextAt, fence }: Planned): ScheduledRun[] {
  if (!nextAt) return [];
  return [{ workspaceId: workspaceId.toHexString(), mailboxId: _id.toHexString(), nextAt, fence }];
}

/** The record as the taker of the turn has left it. */
function turnOf(record: MailboxLeaseRecord): MailboxLease {
  const { workspaceId, holder, fence, plannedFor } = record;
  return { ...stateOf(record), workspaceId: workspaceId.toHexString(), holder, fence, nextAtSeen: plannedFor };
}

/**
 * One value if nobody holds the turn, by the database's clock, another if somebody does. In the update and not in its
 * filter, where not every server knows $$NOW.
 */
function ifFree(value: unknown, otherwise: unknown) {
  return { $cond: [{ $lte: ['$leaseUntil', '$$NOW'] }, value, otherwise] };
}

function stateOf(record: MailboxLeaseRecord): MailboxLeaseState {
  const { _id, nextAt, isTrial = false, stopped, rest = null, lastSentAt, sentBefore = null } = record;
  const { day, dayUsed, dayWarmup = 0, slots, recent } = record;
  const budget = { lastSentAt, sentBefore, day, dayUsed, dayWarmup, slots, recent };
  return { mailboxId: _id.toHexString(), nextAt, isTrial, stopped, rest, ...budget };
}
