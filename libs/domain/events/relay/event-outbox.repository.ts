import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { DeferredEventRecord } from '../schemas/deferred-event.record';
import { EventOutboxRecord } from '../schemas/event-outbox.record';
import { EventRecord } from '../schemas/event.record';
import { EventBatchSupersededError } from './event-batch.errors';
import { getEventPartition } from './event-partition';

/** Events of one workspace that one transaction relays. */
export interface EventBatch {
  readonly workspaceId: string;
  /** The outbox entries, which contain exactly these events. */
  readonly entryIds: readonly string[];
  readonly eventIds: readonly Types.ObjectId[];
  readonly recordedAt: Date;
  /** Failed attempts with each of these events alone. */
  readonly attempts: number;
}

/** One batch of each workspace in a part of a partition. */
export interface OutboxPage {
  readonly batches: readonly EventBatch[];
  /** Whether the partition may continue after the last workspace. */
  readonly continues: boolean;
  /** Whether a workspace has more events than its batch. */
  readonly isCut: boolean;
}

type Entry = Pick<EventOutboxRecord, '_id' | 'workspaceId' | 'eventIds' | 'recordedAt' | 'attempts'>;

const BATCH = 500;
const PAGE = 500;
const SCANNED = 200;
const WORKER = 'the worker relays the events of all workspaces';

/** Events that wait for relay: in the outbox, or deferred after a failure. */
@Injectable()
export class EventOutboxRepository {
  #notify: (() => void) | undefined;

  constructor(
    @InjectModel(EventOutboxRecord.name) private readonly entries: Model<EventOutboxRecord>,
    @InjectModel(DeferredEventRecord.name) private readonly deferred: Model<DeferredEventRecord>,
    @InjectModel(EventRecord.name) private readonly events: Model<EventRecord>,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Calls `notify` after each transaction of this process that records events. */
  onAdded(notify: () => void): void {
    this.#notify = notify;
  }

  /** Adds events in the transaction that records them. */
  async add(workspaceId: string, eventIds: readonly Types.ObjectId[]): Promise<void> {
    if (eventIds.length === 0) return;
    const [recordedAt, attempts] = [this.clock.now(), 0];
    const entries: Entry[] = [];
    for (let at = 0; at < eventIds.length; at += BATCH) {
      entries.push(toEntry(workspaceId, eventIds.slice(at, at + BATCH), { recordedAt, attempts }));
    }
    await this.#insert(entries);
    // The relay polls, so it finds the events even if the process crashes before this.
    this.transactions.countOnce(() => this.#notify?.());
  }

  /** The partitions with events. */
  async listPartitions(): Promise<string[]> {
    const found = new Set<string>();
    for (let from = ''; ;) {
      const page = await this.entries
        .find({ _id: { $gt: from } }, { _id: 1 })
        .setOptions({ allWorkspaces: WORKER })
        .sort({ _id: 1 })
        .limit(SCANNED)
        .lean<Pick<Entry, '_id'>[]>();
      const partitions = page.map(({ _id }) => _id.slice(0, _id.indexOf(':')));
      for (const partition of partitions) found.add(partition);
      if (page.length < SCANNED) return [...found];
      from = getEnd(partitions.at(-1) ?? '');
    }
  }

  /** The oldest events of each workspace of a partition, from the workspace after `after` on; null: from the first. */
  async readPage(partition: string, after: string | null): Promise<OutboxPage> {
    const from = after === null ? `${partition}:` : getEnd(`${partition}:${after}`);
    const found = await this.entries
      .find({ _id: { $gt: from, $lt: getEnd(partition) } })
      .setOptions({ allWorkspaces: WORKER })
      .sort({ _id: 1 })
      .limit(PAGE)
      .lean<Entry[]>();
    const byWorkspace = Map.groupBy(found, ({ workspaceId }) => workspaceId.toHexString());
    const batches = [...byWorkspace.values()].flatMap(([first, ...others]) => (first ? [toBatch(first, others)] : []));
    const taken = batches.reduce((count, { entryIds }) => count + entryIds.length, 0);
    const continues = found.length === PAGE;
    return { batches, continues, isCut: continues || taken < found.length };
  }

  /** The events of a batch that still exist, in the order of recording. */
  async readEvents({ workspaceId, eventIds }: EventBatch): Promise<EventRecord[]> {
    const found = await this.events.find({ workspaceId, _id: { $in: [...eventIds] } }).lean<EventRecord[]>();
    const byId = new Map(found.map((event) => [event._id.toHexString(), event]));
    return eventIds.flatMap((id) => byId.get(id.toHexString()) ?? []);
  }

  /**
   * Removes the entries of a batch, and adds one for those of its events that remain. Joins the running transaction.
   * @returns the entries of the remaining events
   * @throws EventBatchSupersededError
   */
  async replace(
    { workspaceId, entryIds, ...fields }: EventBatch,
    remaining: readonly Types.ObjectId[],
  ): Promise<string[]> {
    const { deletedCount } = await this.entries.deleteMany({ workspaceId, _id: { $in: [...entryIds] } });
    if (deletedCount !== entryIds.length) throw new EventBatchSupersededError();
    if (remaining.length === 0) return [];
    const entry = toEntry(workspaceId, remaining, fields);
    await this.#insert([entry]);
    return [entry._id];
  }

  /** Takes an event out of the outbox until `dueAt`. Joins the running transaction. */
  async defer({ workspaceId, attempts }: EventBatch, eventId: Types.ObjectId, dueAt: Date): Promise<void> {
    await this.deferred.create({ _id: eventId, workspaceId, dueAt, attempts: attempts + 1 });
  }

  /** Returns deferred events to the outbox when they are due. */
  async restoreDue(): Promise<void> {
    const due = await this.deferred
      .find({ dueAt: { $lte: this.clock.now() } })
      .setOptions({ allWorkspaces: WORKER })
      .sort({ dueAt: 1 })
      .limit(BATCH)
      .lean<DeferredEventRecord[]>();
    if (due.length === 0) return;
    const groups = Map.groupBy(due, ({ workspaceId, attempts }) => `${workspaceId.toHexString()} ${attempts}`);
    for (const [first, ...others] of groups.values()) if (first) await this.#restore(first, others);
  }

  /** The ids of a workspace's events that are not relayed. Joins a running transaction. */
  async listPendingIds(workspaceId: string): Promise<Types.ObjectId[]> {
    const prefix = `${getEventPartition(workspaceId)}:${workspaceId}`;
    const entries = await this.entries
      .find({ workspaceId, _id: { $gt: `${prefix}:`, $lt: getEnd(prefix) } }, { eventIds: 1 })
      .lean<Pick<Entry, 'eventIds'>[]>();
    const deferred = await this.deferred.find({ workspaceId }, { _id: 1 }).lean<Pick<DeferredEventRecord, '_id'>[]>();
    return [...entries.flatMap(({ eventIds }) => eventIds), ...deferred.map(({ _id }) => _id)];
  }

  async #restore(first: DeferredEventRecord, others: readonly DeferredEventRecord[]): Promise<void> {
    const { workspaceId, attempts } = first;
    const ids = [first, ...others].map(({ _id }) => _id);
    const entry = toEntry(workspaceId.toHexString(), ids, { recordedAt: this.clock.now(), attempts });
    const restored = this.transactions.run(async () => {
      const { deletedCount } = await this.deferred.deleteMany({ workspaceId, _id: { $in: ids } });
      if (deletedCount !== ids.length) throw new EventBatchSupersededError();
      await this.#insert([entry]);
    });
    await restored.catch((error: unknown) => {
      if (!(error instanceof EventBatchSupersededError)) throw error; // otherwise another worker restores them
    });
  }

  async #insert(entries: readonly Entry[]): Promise<void> {
    await this.entries.insertMany([...entries], { lean: true });
  }
}

function toEntry(
  workspaceId: string,
  eventIds: readonly Types.ObjectId[],
  { recordedAt, attempts }: Pick<Entry, 'recordedAt' | 'attempts'>,
): Entry {
  const _id = `${getEventPartition(workspaceId)}:${workspaceId}:${new Types.ObjectId().toHexString()}`;
  return { _id, workspaceId: new Types.ObjectId(workspaceId), eventIds: [...eventIds], recordedAt, attempts };
}

/** As many of a workspace's entries as fit in a batch. Events with failures are not mixed with others. */
function toBatch(first: Entry, others: readonly Entry[]): EventBatch {
  const { workspaceId, recordedAt, attempts } = first;
  const [entryIds, eventIds] = [[first._id], [...first.eventIds]];
  for (const entry of others) {
    if (entry.attempts !== attempts || eventIds.length + entry.eventIds.length > BATCH) break;
    entryIds.push(entry._id);
    eventIds.push(...entry.eventIds);
  }
  return { workspaceId: workspaceId.toHexString(), entryIds, eventIds, recordedAt, attempts };
}

/** Follows every id that begins with `prefix` and a colon. */
function getEnd(prefix: string): string {
  return `${prefix};`;
}
