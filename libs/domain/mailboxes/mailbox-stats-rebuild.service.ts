import { type EventType, EventsService, QUARTER_MS, type QuarterCount } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { addDays, getDay } from '@platform/time';
import { type Model, Types } from 'mongoose';
import { type MailboxFigure, MailboxDayRecord } from './schemas/mailbox-day.record';
import { MailboxMessageRecord } from './schemas/mailbox-message.record';
import { MailboxRecord } from './schemas/mailbox.record';

/** A figure of a mailbox's day that differs from its recount. */
export interface DayDifference {
  readonly mailboxId: string;
  /** YYYY-MM-DD in the mailbox's zone. */
  readonly day: string;
  readonly figure: MailboxFigure;
  readonly is: number;
  readonly shouldBe: number;
}

const TOTALS = ['totalSent', 'totalReceived', 'totalBounced'] as const;
export type MailboxTotal = (typeof TOTALS)[number];
type Sums = Record<MailboxTotal, number>;

/** A total of a mailbox that differs from the sum of its days. */
export interface TotalDifference {
  readonly mailboxId: string;
  readonly total: MailboxTotal;
  readonly is: number;
  readonly shouldBe: number;
}

/** A period; `until` is exclusive. */
interface Span {
  readonly from: Date;
  readonly until: Date;
}

interface ReceivedCount {
  readonly mailboxId: Types.ObjectId;
  /** Number of the quarter of an hour since 1970. */
  readonly quarter: number;
  readonly count: number;
}

type Recounted = 'sent' | 'received' | 'opened' | 'clicked' | 'replied' | 'bounced' | 'failed';

/** The figure that each event counts in. Of replies only the first of each lead counts. */
const COUNTED_AS: Partial<Record<EventType, { figure: Recounted; ofLeads?: true }>> = {
  'email.sent': { figure: 'sent' },
  'email.opened': { figure: 'opened' },
  'email.clicked': { figure: 'clicked' },
  'email.replied': { figure: 'replied', ofLeads: true },
  'email.bounced': { figure: 'bounced' },
  'email.failed': { figure: 'failed' },
};
const TYPES = Object.keys(COUNTED_AS) as EventType[];
const FIGURES: readonly Recounted[] = ['sent', 'received', 'opened', 'clicked', 'replied', 'bounced', 'failed'];
/** Days per transaction, so that memory does not grow with the history. */
const DAYS_AT_ONCE = 31;

type Zoned = Pick<MailboxRecord, '_id' | 'timezone' | 'zoneChangedAt'>;
/** By mailbox and day. */
type Counts = Map<string, Partial<Record<Recounted, number>>>;

/** These figures may exceed the events, never fall below: test mails and replies by hand have no event. */
const BEYOND_EVENTS: ReadonlySet<Recounted> = new Set(['sent', 'bounced', 'failed']);

/**
 * Rebuilds the figures of mailboxes: days from events and received messages, totals from the days. Sent and refused mail
 * without events stays counted, and days of an earlier time zone stay unchanged.
 */
@Injectable()
export class MailboxStatsRebuildService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    @InjectModel(MailboxDayRecord.name) private readonly days: Model<MailboxDayRecord>,
    @InjectModel(MailboxMessageRecord.name) private readonly messages: Model<MailboxMessageRecord>,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
  ) {}

  /** @param isCheck compares only, writes nothing */
  async run(workspaceId: string, { isCheck }: { isCheck: boolean }): Promise<(DayDifference | TotalDifference)[]> {
    const differences: (DayDifference | TotalDifference)[] = [];
    for (const first of await this.#listBatches(workspaceId)) {
      differences.push(...(await this.transactions.run(() => this.#rebuildBatch(workspaceId, first, isCheck))));
    }
    return [...differences, ...(await this.#rebuildTotals(workspaceId, { isCheck }))];
  }

  /** The first day of each batch of days with activity or stored figures. */
  async #listBatches(workspaceId: string): Promise<string[]> {
    const span = await this.events.span(workspaceId);
    const edge = (order: 1 | -1) =>
      this.days.findOne({ workspaceId }, { day: 1 }).sort({ day: order }).lean<Pick<MailboxDayRecord, 'day'>>();
    const stored = [(await edge(1))?.day, (await edge(-1))?.day].filter((day) => day !== undefined);
    // A moment belongs to at most three different dates on earth.
    const recorded = span ? [addDays(getDay(span.from, 'UTC'), -1), addDays(getDay(span.until, 'UTC'), 1)] : [];
    const received = (await this.#receivedEdges(workspaceId)).flatMap((at) => [
      addDays(getDay(at, 'UTC'), -1),
      addDays(getDay(at, 'UTC'), 1),
    ]);
    const all = [...stored, ...recorded, ...received].toSorted();
    const last = all.at(-1) ?? '';
    const months: string[] = [];
    for (let [day = ''] = all; day !== '' && day <= last; day = addDays(day, DAYS_AT_ONCE)) months.push(day);
    return months;
  }

  async #rebuildBatch(workspaceId: string, first: string, isCheck: boolean): Promise<DayDifference[]> {
    const end = addDays(first, DAYS_AT_ONCE);
    const around = {
      from: new Date(`${addDays(first, -1)}T00:00:00Z`),
      until: new Date(`${addDays(end, 1)}T00:00:00Z`),
    };
    const recorded = await this.events.countByQuarter(workspaceId, TYPES, around);
    const received = await this.#receivedByQuarter(workspaceId, around);
    const mailboxes = await this.mailboxes.find({ workspaceId }, { timezone: 1, zoneChangedAt: 1 }).lean<Zoned[]>();
    const stored = await this.days.find({ workspaceId, day: { $gte: first, $lt: end } }).lean<MailboxDayRecord[]>();
    const zones = new Map(mailboxes.map((mailbox) => [mailbox._id.toHexString(), mailbox]));
    const counted = sumByDay([...toShares(recorded), ...received.map(toReceivedShare)], zones);
    const isCounted = createRecountFilter(mailboxes);
    const differences = listDifferences(stored, counted).filter(
      ({ mailboxId, day }) => day >= first && day < end && isCounted(mailboxId, day),
    );
    if (!isCheck) for (const one of differences) await this.#correct(workspaceId, one);
    return differences;
  }

  /** Adds the difference, so that concurrent counts are kept. */
  async #correct(workspaceId: string, { mailboxId, day, figure, is, shouldBe }: DayDifference): Promise<void> {
    await this.days.updateOne({ workspaceId, mailboxId, day }, { $inc: { [figure]: shouldBe - is } }, { upsert: true });
  }

  /** Received messages by mailbox and quarter of an hour. Joins a running transaction. */
  async #receivedByQuarter(workspaceId: string, { from, until }: Span): Promise<ReceivedCount[]> {
    const quarter = { $floor: { $divide: [{ $subtract: ['$createdAt', new Date(0)] }, QUARTER_MS] } };
    const rows = await this.messages.aggregate<{ _id: Omit<ReceivedCount, 'count'>; count: number }>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId), createdAt: { $gte: from, $lt: until } } },
      { $group: { _id: { mailboxId: '$mailboxId', quarter }, count: { $sum: 1 } } },
    ]);
    return rows.map(({ _id, count }) => ({ mailboxId: _id.mailboxId, quarter: _id.quarter, count }));
  }

  /** Times of the first and the last received message; empty without messages. */
  async #receivedEdges(workspaceId: string): Promise<Date[]> {
    const edge = (order: 1 | -1) =>
      this.messages
        .findOne({ workspaceId }, { createdAt: 1 })
        .sort({ createdAt: order })
        .lean<Pick<MailboxMessageRecord, 'createdAt'>>();
    return [await edge(1), await edge(-1)].flatMap((found) => found?.createdAt ?? []);
  }

  /**
   * Recalculates the totals of every mailbox of the workspace from its days.
   * @param isCheck compares only, writes nothing
   * @returns the differences
   */
  async #rebuildTotals(workspaceId: string, { isCheck }: { isCheck: boolean }): Promise<TotalDifference[]> {
    return this.transactions.run(async () => {
      const sums = await this.#sumDays(workspaceId);
      const mailboxes = await this.mailboxes
        .find({ workspaceId }, { totalSent: 1, totalReceived: 1, totalBounced: 1 })
        .sort({ _id: 1 })
        .lean<(Sums & { _id: Types.ObjectId })[]>();
      const differences = mailboxes.flatMap((mailbox) => listTotalDifferences(mailbox, sums.get(String(mailbox._id))));
      if (!isCheck) for (const one of differences) await this.#correctTotal(workspaceId, one);
      return differences;
    });
  }

  async #sumDays(workspaceId: string): Promise<ReadonlyMap<string, Sums>> {
    const sums = await this.days.aggregate<Sums & { _id: Types.ObjectId }>([
      { $match: { workspaceId: new Types.ObjectId(workspaceId) } },
      {
        $group: {
          _id: '$mailboxId',
          totalSent: { $sum: '$sent' },
          totalReceived: { $sum: '$received' },
          totalBounced: { $sum: '$bounced' },
        },
      },
    ]);
    return new Map(sums.map((one) => [String(one._id), one]));
  }

  /** Adds the difference, so that concurrent counts are kept. */
  async #correctTotal(workspaceId: string, { mailboxId, total, is, shouldBe }: TotalDifference): Promise<void> {
    const by = { [total]: shouldBe - is };
    await this.mailboxes.updateOne({ workspaceId, _id: mailboxId }, { $inc: by }, { timestamps: false });
  }
}

/** The count of a figure in a quarter of an hour. */
interface Share {
  readonly mailboxId: Types.ObjectId | null;
  readonly quarter: number;
  readonly figure: Recounted;
  readonly count: number;
}

function toShares(recorded: readonly QuarterCount[]): Share[] {
  return recorded.flatMap(({ mailboxId, quarter, type, count, firsts }) => {
    const as = COUNTED_AS[type];
    return as ? [{ mailboxId, quarter, figure: as.figure, count: as.ofLeads ? firsts : count }] : [];
  });
}

function toReceivedShare({ mailboxId, quarter, count }: ReceivedCount): Share {
  return { mailboxId, quarter, figure: 'received', count };
}

function sumByDay(shares: readonly Share[], mailboxes: ReadonlyMap<string, Zoned>): Counts {
  const counts: Counts = new Map();
  for (const { mailboxId, quarter, figure, count } of shares) {
    const mailbox = mailboxes.get(mailboxId?.toHexString() ?? '');
    if (!mailbox) continue;
    const key = toKey(mailbox._id, getDay(new Date(quarter * QUARTER_MS), mailbox.timezone));
    const figures = counts.get(key) ?? {};
    figures[figure] = (figures[figure] ?? 0) + count;
    counts.set(key, figures);
  }
  return counts;
}

/** Accepts existing mailboxes, on whole days of their current time zone. */
function createRecountFilter(mailboxes: readonly Zoned[]): (mailboxId: string, day: string) => boolean {
  const since = new Map(
    mailboxes.map(({ _id, timezone, zoneChangedAt }) => {
      // The day before the change may belong to both zones.
      return [_id.toHexString(), zoneChangedAt ? addDays(getDay(zoneChangedAt, timezone), 1) : ''];
    }),
  );
  return (mailboxId, day) => {
    const first = since.get(mailboxId);
    return first !== undefined && day > first;
  };
}

function listDifferences(stored: readonly MailboxDayRecord[], counted: Counts): DayDifference[] {
  const days = new Map(stored.map((record) => [toKey(record.mailboxId, record.day), record]));
  return [...new Set([...days.keys(), ...counted.keys()])].toSorted().flatMap((key) => {
    const [mailboxId = '', day = ''] = key.split(' ');
    return FIGURES.flatMap((figure) => {
      const is = days.get(key)?.[figure] ?? 0;
      const recorded = counted.get(key)?.[figure] ?? 0;
      const shouldBe = BEYOND_EVENTS.has(figure) ? Math.max(is, recorded) : recorded;
      return is === shouldBe ? [] : [{ mailboxId, day, figure, is, shouldBe }];
    });
  });
}

function toKey(mailboxId: Types.ObjectId, day: string): string {
  return `${mailboxId.toHexString()} ${day}`;
}

function listTotalDifferences(mailbox: Sums & { _id: Types.ObjectId }, sums: Sums | undefined): TotalDifference[] {
  return TOTALS.flatMap((total) => {
    const is = mailbox[total];
    const shouldBe = sums?.[total] ?? 0;
    return is === shouldBe ? [] : [{ mailboxId: String(mailbox._id), total, is, shouldBe }];
  });
}
