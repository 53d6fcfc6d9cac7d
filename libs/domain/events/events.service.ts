import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Page, PageService, TransactionService, parseId, rerunOnWriteConflict } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { type EventData } from './payloads/event-data';
import { type EventSubject, type EventType } from './event-types';
import { EventOutboxRepository } from './relay/event-outbox.repository';
import { EventRecord } from './schemas/event.record';
import { invalidField, notFound } from '@platform/errors';
import { type EventQuery, type EventResponse, toEvent } from './dto/event.dto';

interface EventOf<T extends EventType> {
  type: T;
  /** Identifies the occurrence within the workspace: recording it again has no effect. */
  dedupeKey: string;
  about: EventSubject;
  /** Webhooks post it: never a secret. */
  data: EventData<T>;
  /** Default: now. */
  at?: Date;
}

/** An event to record, with the data of its type. */
export type NewEvent = { [T in EventType]: EventOf<T> }[EventType];

/** Number of events of a campaign, by mailbox and step. */
export interface EventCount {
  readonly campaignId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId | null;
  readonly type: EventType;
  /** Of these, the events that were the first of their type for a lead (`data.firstOfLead`). */
  readonly stepId: string | null;
  readonly count: number;
  /** Those of them that were the first of their kind for a lead (`data.firstOfLead`). */
  readonly firsts: number;
}

/** Number of events in a quarter of an hour. */
export interface QuarterCount {
  readonly mailboxId: Types.ObjectId | null;
  readonly type: EventType;
  /** Number of the quarter of an hour since 1970 in UTC. */
  readonly quarter: number;
  readonly count: number;
  readonly firsts: number;
}

/** A period: `from` is included, `until` is not. */
export interface Span {
  readonly from: Date;
  readonly until: Date;
}

/** Time zones differ by whole quarters of an hour, so these counts add up to days of any zone. */
export const QUARTER_MS = 900_000;

interface Row {
  readonly _id: { readonly [K in 'campaignId' | 'mailboxId']?: Types.ObjectId | null } & {
    readonly type: EventType;
    readonly stepId?: string | null;
    readonly quarter?: number;
  };
  readonly count: number;
  readonly firsts: number;
}

const COUNTS = {
  count: { $sum: 1 },
  firsts: { $sum: { $cond: [{ $eq: ['$data.firstOfLead', true] }, 1, 0] } },
};

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** An event without its data. */
export type NamedEvent = Pick<EventRecord, '_id' | 'type' | 'at'>;

/** A period and the event in it after which reading continues; null: from the start. */
export interface Stretch {
  readonly from: Date;
  /** Not included. */
  readonly to: Date;
  readonly after: { readonly at: Date; readonly id: Types.ObjectId } | null;
}

/** An id that no record has. */
const NOBODY = '000000000000000000000000';

/**
 * Events, each recorded once. Ids are made here and not by the database: within one process they follow the order of
 * recording.
 */
@Injectable()
export class EventsService {
  constructor(
    @InjectModel(EventRecord.name) private readonly events: Model<EventRecord>,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly pages: PageService,
    private readonly outbox: EventOutboxRepository,
  ) {}

  /**
   * Records an event. Call it in the transaction of the change that the event records: then neither exists without the
   * other.
   * @returns false if it was recorded before
   */
  async record(workspace: WorkspaceScope, { type, dedupeKey, about, data, at }: NewEvent): Promise<boolean> {
    const { workspaceId } = workspace;
    const now = this.clock.now();
    const fields = { _id: new Types.ObjectId(), type, at: at ?? now, data, ...about };
    return this.transactions.run(async () => {
      const { upsertedCount } = await rerunOnWriteConflict(() =>
        this.events.updateOne({ workspaceId, dedupeKey }, { $setOnInsert: fields }, { upsert: true }),
      );
      if (upsertedCount === 1) await this.outbox.add(workspaceId, [fields._id]);
      return upsertedCount === 1;
    });
  }

  /**
   * Records many events in one write, each as `record` does.
   * @returns the number of events that were new
   */
  async recordAll(workspace: Pick<WorkspaceScope, 'workspaceId'>, events: readonly NewEvent[]): Promise<number> {
    return (await this.recordEach(workspace, events)).filter(Boolean).length;
  }

  /**
   * As `recordAll`.
   * @returns for each event, in the given order, whether it was new
   */
  async recordEach(
    { workspaceId }: Pick<WorkspaceScope, 'workspaceId'>,
    events: readonly NewEvent[],
  ): Promise<boolean[]> {
    if (events.length === 0) return [];
    const now = this.clock.now();
    const operations = events.map(({ type, dedupeKey, about, data, at }) => ({
      updateOne: {
        filter: { workspaceId: new Types.ObjectId(workspaceId), dedupeKey },
        update: { $setOnInsert: { _id: new Types.ObjectId(), type, at: at ?? now, data, ...about } },
        upsert: true,
      },
    }));
    return this.transactions.run(async () => {
      const { upsertedIds } = await rerunOnWriteConflict(() =>
        this.events.bulkWrite(operations as never, { ordered: false }),
      );
      await this.outbox.add(workspaceId, Object.values(upsertedIds) as Types.ObjectId[]);
      return events.map((_event, at) => at in upsertedIds);
    });
  }

  /** Counts events of these types by campaign, or of the campaign `campaignId` only. Joins a running transaction. */
  async countByCampaign(
    workspaceId: string,
    types: readonly EventType[],
    campaignId?: Types.ObjectId,
  ): Promise<EventCount[]> {
    // For one campaign, events of all types are read: one index covers them, and a filter on types makes some
    // databases choose another.
    const about = campaignId ? { campaignId } : { type: { $in: types }, campaignId: { $ne: null } };
    const keys = { campaignId: '$campaignId', mailboxId: '$mailboxId', type: '$type', stepId: '$data.stepId' };
    const rows = await this.events.aggregate<Row>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId), ...about } },
      { $group: { _id: keys, ...COUNTS } },
    ]);
    return rows.flatMap(({ _id: { campaignId: of, mailboxId, type, stepId }, count, firsts }) =>
      of && types.includes(type)
        ? [{ campaignId: of, mailboxId: mailboxId ?? null, type, stepId: stepId ?? null, count, firsts }]
        : [],
    );
  }

  /**
   * Counts events of these types in a period, by mailbox and quarter of an hour. For one campaign it counts only
   * relayed events, the source of the daily figures. Joins a running transaction.
   */
  async countByQuarter(
    workspaceId: string,
    types: readonly EventType[],
    { from, until }: Span,
    campaignId?: Types.ObjectId,
  ): Promise<QuarterCount[]> {
    const quarter = { $floor: { $divide: [{ $subtract: ['$at', new Date(0)] }, QUARTER_MS] } };
    const pending = campaignId ? await this.outbox.listPendingIds(workspaceId) : [];
    const rows = await this.events.aggregate<Row>([
      {
        $match: {
          workspaceId: new Types.ObjectId(workspaceId),
          at: { $gte: from, $lt: until },
          ...(campaignId ? { campaignId } : { type: { $in: types } }),
          ...(pending.length > 0 && { _id: { $nin: pending } }),
        },
      },
      { $group: { _id: { mailboxId: '$mailboxId', type: '$type', quarter }, ...COUNTS } },
    ]);
    return rows.flatMap(({ _id: { mailboxId, type, quarter: number }, count, firsts }) =>
      types.includes(type) ? [{ mailboxId: mailboxId ?? null, type, quarter: Number(number), count, firsts }] : [],
    );
  }

  /**
   * The period from the first to just after the last event, of the workspace or of `campaignId`; null without events.
   */
  async span(workspaceId: string, campaignId?: Types.ObjectId): Promise<Span | null> {
    const filter = { workspaceId, ...(campaignId && { campaignId }) };
    const edge = (order: 1 | -1) =>
      this.events.findOne(filter, { at: 1 }).sort({ at: order, _id: order }).lean<Pick<EventRecord, 'at'>>();
    const [first, last] = [await edge(1), await edge(-1)];
    return first && last && { from: first.at, until: new Date(last.at.getTime() + 1) };
  }

  /** A page of the events of a period, oldest first. */
  async page({ workspaceId }: Workspace, { from, to, after }: Stretch, limit: number): Promise<NamedEvent[]> {
    // The range together with the tie-break uses the order of the index; a bare `$or` does not.
    const beyond = after ? { $or: [{ at: { $gt: after.at } }, { _id: { $gt: after.id } }] } : {};
    return this.events
      .find({ workspaceId, at: { $gte: after?.at ?? from, $lt: to }, ...beyond }, { type: 1, at: 1 })
      .sort({ at: 1, _id: 1 })
      .limit(limit)
      .lean<NamedEvent[]>();
  }

  /** The events that exist among these ids, in any order. */
  async read({ workspaceId }: Workspace, ids: readonly Types.ObjectId[]): Promise<EventRecord[]> {
    if (ids.length === 0) return [];
    return this.events.find({ workspaceId, _id: { $in: [...ids] } }).lean<EventRecord[]>();
  }

  /** The subset of these dedupe keys under which an event was recorded. */
  async findRecordedKeys({ workspaceId }: Workspace, dedupeKeys: readonly string[]): Promise<Set<string>> {
    if (dedupeKeys.length === 0) return new Set();
    const found = await this.events
      .find({ workspaceId, dedupeKey: { $in: [...dedupeKeys] } }, { _id: 0, dedupeKey: 1 })
      .lean<Pick<EventRecord, 'dedupeKey'>[]>();
    return new Set(found.map(({ dedupeKey }) => dedupeKey));
  }

  /**
   * Lists events, newest first.
   * @throws VALIDATION_ERROR when `to` is not later than `from`
   */
  async list(workspace: WorkspaceScope, query: EventQuery): Promise<Page<EventResponse>> {
    const { workspaceId } = workspace;
    const { limit, cursor } = query;
    const filter = { workspaceId, ...toFilter(query) };
    return this.pages.read(
      this.events,
      { scope: workspaceId, filter, by: 'at', without: ['workspaceId', 'dedupeKey'], page: { limit, cursor } },
      toEvent,
    );
  }

  /** @throws NOT_FOUND */
  async get({ workspaceId }: WorkspaceScope, eventId: string): Promise<EventResponse> {
    const _id = parseId(eventId);
    const found = _id && (await this.events.findOne({ _id, workspaceId }).lean<EventRecord>());
    if (!found) throw notFound('Event');
    return toEvent(found);
  }
}

function toFilter({ type, campaignId, leadId, from, to }: EventQuery): Record<string, unknown> {
  const since = from === undefined ? undefined : new Date(from);
  const until = to === undefined ? undefined : new Date(to);
  if (since && until && since >= until) throw invalidField('to', 'to must be later than from');
  return {
    ...(type === undefined ? {} : { type }),
    ...(campaignId === undefined ? {} : { campaignId: parseId(campaignId) ?? NOBODY }),
    ...(leadId === undefined ? {} : { leadId: parseId(leadId) ?? NOBODY }),
    ...(since || until ? { at: { ...(since && { $gte: since }), ...(until && { $lt: until }) } } : {}),
  };
}
