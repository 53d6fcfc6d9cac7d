import { type EventType, EventsService, QUARTER_MS, type QuarterCount } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { addDays, getDay } from '@platform/time';
import { type Model, type Types } from 'mongoose';
import { MailboxReceivedService, type ReceivedCount } from './mailbox-received.service';
import { MailboxTotalsService, type TotalDifference } from './mailbox-totals.service';
import { MailboxDayRecord, type MailboxFigure } from './schemas/mailbox-day.record';
import { MailboxRecord } from './schemas/mailbox.record';

/** A figure of a mailbox's day that is not what a recount gives. */
export interface DayDifference {
  readonly mailboxId: string;
  /** YYYY-MM-DD in the mailbox's zone. */
  readonly day: string;
  readonly figure: MailboxFigure;
  readonly is: number;
  readonly shouldBe: number;
}

type Recounted = 'sent' | 'received' | 'opened' | 'clicked' | 'replied' | 'bounced' | 'failed';

/** What counts for a mailbox; of answers the first of each lead. */
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
/** Days that are looked at together: what has to be held at once does not grow with the history. */
const DAYS_AT_ONCE = 31;

type Zoned = Pick<MailboxRecord, '_id' | 'timezone' | 'zoneChangedAt'>;
/** By mailbox and day. */
type Counts = Map<string, Partial<Record<Recounted, number>>>;

/** Of these there may be more than events tell of, never less: tests of a mailbox, and what people have answered by hand. */
const BEYOND_EVENTS: ReadonlySet<Recounted> = new Set(['sent', 'bounced', 'failed']);

/**
 * Makes the figures of mailboxes again: days from the events of their emails and the messages that came in, totals from their
 * days. What was sent or refused of other mail stays counted, and so do days of an earlier zone.
 */
@Injectable()
export class MailboxStatsRebuildService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    @InjectModel(MailboxDayRecord.name) private readonly days: Model<MailboxDayRecord>,
    private readonly events: EventsService,
    private readonly received: MailboxReceivedService,
    private readonly totals: MailboxTotalsService,
    private readonly transactions: TransactionService,
  ) {}

  /** @param isCheck nothing is written */
  async run(workspaceId: string, { isCheck }: { isCheck: boolean }): Promise<(DayDifference | TotalDifference)[]> {
    const differences: (DayDifference | TotalDifference)[] = [];
    for (const first of await this.#months(workspaceId)) {
      differences.push(...(await this.transactions.run(() => this.#month(workspaceId, first, isCheck))));
    }
    return [...differences, ...(await this.totals.rebuild(workspaceId, { isCheck }))];
  }

  /** The first days of all stretches of days in which something happened, or was counted. */
  async #months(workspaceId: string): Promise<string[]> {
    const span = await this.events.span(workspaceId);
    const edge = (order: 1 | -1) =>
      this.days.findOne({ workspaceId }, { day: 1 }).sort({ day: order }).lean<Pick<MailboxDayRecord, 'day'>>();
    const kept = [(await edge(1))?.day, (await edge(-1))?.day].filter((day) => day !== undefined);
    // Around the earth a moment belongs to three different days at most.
    const told = span ? [addDays(getDay(span.from, 'UTC'), -1), addDays(getDay(span.until, 'UTC'), 1)] : [];
    const came = (await this.received.edges(workspaceId)).flatMap((at) => [
      addDays(getDay(at, 'UTC'), -1),
      addDays(getDay(at, 'UTC'), 1),
    ]);
    const all = [...kept, ...told, ...came].toSorted();
    const last = all.at(-1) ?? '';
    const months: string[] = [];
    for (let [day = ''] = all; day !== '' && day <= last; day = addDays(day, DAYS_AT_ONCE)) months.push(day);
    return months;
  }

  async #month(workspaceId: string, first: string, isCheck: boolean): Promise<DayDifference[]> {
    const end = addDays(first, DAYS_AT_ONCE);
    const around = {
      from: new Date(`${addDays(first, -1)}T00:00:00Z`),
      until: new Date(`${addDays(end, 1)}T00:00:00Z`),
    };
    const told = await this.events.countByQuarter(workspaceId, TYPES, around);
    const came = await this.received.byQuarter(workspaceId, around);
    const mailboxes = await this.mailboxes.find({ workspaceId }, { timezone: 1, zoneChangedAt: 1 }).lean<Zoned[]>();
    const kept = await this.days.find({ workspaceId, day: { $gte: first, $lt: end } }).lean<MailboxDayRecord[]>();
    const zones = new Map(mailboxes.map((mailbox) => [mailbox._id.toHexString(), mailbox]));
    const counted = countsOf([...happenings(told), ...came.map(receipt)], zones);
    const isCounted = recountable(mailboxes);
    const differences = differing(kept, counted).filter(
      ({ mailboxId, day }) => day >= first && day < end && isCounted(mailboxId, day),
    );
    if (!isCheck) for (const one of differences) await this.#correct(workspaceId, one);
    return differences;
  }

  /** By the difference: what is counted meanwhile stays counted. */
  async #correct(workspaceId: string, { mailboxId, day, figure, is, shouldBe }: DayDifference): Promise<void> {
    await this.days.updateOne({ workspaceId, mailboxId, day }, { $inc: { [figure]: shouldBe - is } }, { upsert: true });
  }
}

/** So much of a figure in a quarter of an hour. */
interface Share {
  readonly mailboxId: Types.ObjectId | null;
  readonly quarter: number;
  readonly figure: Recounted;
  readonly count: number;
}

function happenings(told: readonly QuarterCount[]): Share[] {
  return told.flatMap(({ mailboxId, quarter, type, count, firsts }) => {
    const as = COUNTED_AS[type];
    return as ? [{ mailboxId, quarter, figure: as.figure, count: as.ofLeads ? firsts : count }] : [];
  });
}

function receipt({ mailboxId, quarter, count }: ReceivedCount): Share {
  return { mailboxId, quarter, figure: 'received', count };
}

function countsOf(shares: readonly Share[], mailboxes: ReadonlyMap<string, Zoned>): Counts {
  const counts: Counts = new Map();
  for (const { mailboxId, quarter, figure, count } of shares) {
    const mailbox = mailboxes.get(mailboxId?.toHexString() ?? '');
    if (!mailbox) continue;
    const key = keyOf(mailbox._id, getDay(new Date(quarter * QUARTER_MS), mailbox.timezone));
    const figures = counts.get(key) ?? {};
    figures[figure] = (figures[figure] ?? 0) + count;
    counts.set(key, figures);
  }
  return counts;
}

/** Of mailboxes that are there, on days that are whole days of their present zone. */
function recountable(mailboxes: readonly Zoned[]): (mailboxId: string, day: string) => boolean {
  const since = new Map(
    mailboxes.map(({ _id, timezone, zoneChangedAt }) => {
      // The day before, too, may have been a day of both.
      return [_id.toHexString(), zoneChangedAt ? addDays(getDay(zoneChangedAt, timezone), 1) : ''];
    }),
  );
  return (mailboxId, day) => {
    const first = since.get(mailboxId);
    return first !== undefined && day > first;
  };
}

function differing(kept: readonly MailboxDayRecord[], counted: Counts): DayDifference[] {
  const days = new Map(kept.map((record) => [keyOf(record.mailboxId, record.day), record]));
  return [...new Set([...days.keys(), ...counted.keys()])].toSorted().flatMap((key) => {
    const [mailboxId = '', day = ''] = key.split(' ');
    return FIGURES.flatMap((figure) => {
      const is = days.get(key)?.[figure] ?? 0;
      const told = counted.get(key)?.[figure] ?? 0;
      const shouldBe = BEYOND_EVENTS.has(figure) ? Math.max(is, told) : told;
      return is === shouldBe ? [] : [{ mailboxId, day, figure, is, shouldBe }];
    });
  });
}

function keyOf(mailboxId: Types.ObjectId, day: string): string {
  return `${mailboxId.toHexString()} ${day}`;
}
