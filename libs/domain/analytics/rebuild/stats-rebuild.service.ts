import { CampaignRepository } from '@domain/campaigns';
import { EventsService, type QuarterCount, type Span } from '@domain/events';
import { type DayDifference, MailboxStatsRebuildService, type TotalDifference } from '@domain/mailboxes';
import { CampaignCountersRebuildService, type Recounted } from '@domain/sending';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { COUNTED_EVENTS, DAY_MS, getFigures, getQuarterOfDay } from '../days/day-figures';
import { CampaignDayRecord, type DayFigures } from '../schemas/campaign-day.record';

/** A figure of a campaign's day that differs from its recount. */
interface CampaignDayDifference {
  readonly campaignId: string;
  /** null: the sum of all mailboxes. */
  readonly mailboxId: string | null;
  /** YYYY-MM-DD in UTC */
  readonly day: string;
  /** `sent`; of a quarter of an hour, from 0, when the figure of the day is right: `sent@37` */
  readonly figure: string;
  readonly is: number;
  readonly shouldBe: number;
}

/** Period per transaction, so that memory does not grow with the history. */
const BATCH_MS = 31 * DAY_MS;
const WRITE_BATCH = 100;

/** Of one record, by path: `figures.sent`, `quarters.37.sent`. */
type Figures = Map<string, number>;

type CounterDifference = Recounted['differences'][number];

/** The result of a rebuild. */
export interface Rebuilt {
  /** Campaigns that were recounted. */
  readonly campaigns: number;
  readonly differences: readonly (CounterDifference | CampaignDayDifference | DayDifference | TotalDifference)[];
}

export interface RebuildOptions {
  /** Only this campaign; mailboxes are then left out. */
  readonly campaignId?: string | undefined;
  /** Compares only, writes nothing. */
  readonly isCheck: boolean;
}

/**
 * Rebuilds all figures of a workspace: counters and days of campaigns, days and totals of mailboxes. Normally it finds no
 * difference; it is for databases that were restored, repaired by hand, or written by a faulty version. The database adds up
 * one campaign and month at a time, so memory does not grow with the number of events.
 */
@Injectable()
export class StatsRebuildService {
  constructor(
    @InjectModel(CampaignDayRecord.name) private readonly days: Model<CampaignDayRecord>,
    private readonly campaigns: CampaignRepository,
    private readonly shares: CampaignRepository,
    private readonly counters: CampaignCountersRebuildService,
    private readonly mailboxes: MailboxStatsRebuildService,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
  ) {}

  /** @throws NOT_FOUND for an unknown campaign; SERVICE_UNAVAILABLE when a campaign is too busy to be corrected */
  async run(workspaceId: string, { campaignId, isCheck }: RebuildOptions): Promise<Rebuilt> {
    const { campaigns, differences } = await this.counters.run(workspaceId, { campaignId, isCheck });
    const all: Rebuilt['differences'][number][] = [...differences];
    const ids =
      campaignId === undefined
        ? await this.shares.listIds(workspaceId)
        : [(await this.campaigns.find({ workspaceId }, campaignId))._id];
    for (const id of ids) all.push(...(await this.#rebuildDays(workspaceId, id, isCheck)));
    if (campaignId === undefined) all.push(...(await this.mailboxes.run(workspaceId, { isCheck })));
    return { campaigns, differences: all };
  }

  /**
   * Rebuilds the days of a campaign from its relayed events. Each transaction sees events and days together, and corrects by
   * the difference.
   * @param isCheck compares only, writes nothing
   * @throws SERVICE_UNAVAILABLE when the campaign is too busy
   */
  async #rebuildDays(
    workspaceId: string,
    campaignId: Types.ObjectId,
    isCheck: boolean,
  ): Promise<CampaignDayDifference[]> {
    const span = await this.#span(workspaceId, campaignId);
    const differences: CampaignDayDifference[] = [];
    if (!span) return differences;
    const end = span.until.getTime();
    for (let at = Math.floor(span.from.getTime() / DAY_MS) * DAY_MS; at < end; at += BATCH_MS) {
      const some = { from: new Date(at), until: new Date(at + BATCH_MS) };
      const found = await this.transactions.run(() => this.#rebuildBatch(workspaceId, campaignId, some, isCheck));
      differences.push(...found);
    }
    return differences;
  }

  /** The period with activity or stored figures; null without any. */
  async #span(workspaceId: string, campaignId: Types.ObjectId): Promise<Span | null> {
    const recorded = await this.events.span(workspaceId, campaignId);
    const edge = (order: 1 | -1) =>
      this.days
        .findOne({ workspaceId, campaignId, mailboxId: null }, { day: 1 })
        .sort({ day: order })
        .lean<Pick<CampaignDayRecord, 'day'>>();
    const stored = [(await edge(1))?.day, (await edge(-1))?.day].filter((day) => day !== undefined);
    const times = [
      ...stored.flatMap((day) => [+day, +day + 1]),
      ...(recorded ? [+recorded.from, +recorded.until] : []),
    ];
    return times.length === 0 ? null : { from: new Date(Math.min(...times)), until: new Date(Math.max(...times)) };
  }

  async #rebuildBatch(
    workspaceId: string,
    campaignId: Types.ObjectId,
    span: Span,
    isCheck: boolean,
  ): Promise<CampaignDayDifference[]> {
    const recorded = await this.events.countByQuarter(workspaceId, COUNTED_EVENTS, span, campaignId);
    const stored = await this.days
      .find({ workspaceId, campaignId, day: { $gte: span.from, $lt: span.until } })
      .lean<CampaignDayRecord[]>();
    const is = new Map(stored.map((record) => [toKey(record.mailboxId, record.day), toFigures(record)]));
    const shouldBe = sumCounts(recorded);
    const differences: CampaignDayDifference[] = [];
    const corrections: Correction[] = [];
    for (const key of new Set([...is.keys(), ...shouldBe.keys()])) {
      const paths = listDifferences(is.get(key), shouldBe.get(key));
      if (paths.length === 0) continue;
      const [mailbox = '', time = ''] = key.split(' ');
      const of = { mailboxId: mailbox === '' ? null : mailbox, day: new Date(Number(time)) };
      differences.push(...toDifferences(campaignId, of, paths));
      if (isCheck) continue;
      const by = Object.fromEntries(paths.map(({ path, is: from, shouldBe: to }) => [path, to - from]));
      const mailboxId = of.mailboxId === null ? null : new Types.ObjectId(of.mailboxId);
      corrections.push({ filter: { campaignId, mailboxId, day: of.day }, by });
    }
    await this.#correct(workspaceId, corrections);
    return differences;
  }

  async #correct(workspaceId: string, corrections: readonly Correction[]): Promise<void> {
    for (let at = 0; at < corrections.length; at += WRITE_BATCH) {
      await this.days.bulkWrite(
        corrections.slice(at, at + WRITE_BATCH).map(({ filter, by }) => ({
          updateOne: {
            filter: { workspaceId: new Types.ObjectId(workspaceId), ...filter },
            update: { $inc: by },
            upsert: true,
          },
        })),
        { ordered: false },
      );
    }
  }
}

interface Correction {
  readonly filter: Pick<CampaignDayRecord, 'campaignId' | 'mailboxId' | 'day'>;
  readonly by: Readonly<Record<string, number>>;
}

interface Differing {
  readonly path: string;
  readonly is: number;
  readonly shouldBe: number;
}

function listDifferences(stored: Figures = new Map(), counted: Figures = new Map()): Differing[] {
  return [...new Set([...stored.keys(), ...counted.keys()])].flatMap((path) => {
    const [is, shouldBe] = [stored.get(path) ?? 0, counted.get(path) ?? 0];
    return is === shouldBe ? [] : [{ path, is, shouldBe }];
  });
}

/** Differences of quarters are reported only when the day is correct: otherwise they repeat the day's. */
function toDifferences(
  campaignId: Types.ObjectId,
  { mailboxId, day }: { mailboxId: string | null; day: Date },
  all: readonly Differing[],
): CampaignDayDifference[] {
  const ofDay = all.filter(({ path }) => path.startsWith('figures.'));
  const about = { campaignId: campaignId.toHexString(), mailboxId, day: day.toISOString().slice(0, 10) };
  return (ofDay.length > 0 ? ofDay : all).map(({ path, is, shouldBe }) => {
    const [, second = '', third] = path.split('.');
    return { ...about, figure: third === undefined ? second : `${third}@${second}`, is, shouldBe };
  });
}

function toFigures({ figures = {}, quarters = {} }: CampaignDayRecord): Figures {
  const stored: Figures = new Map();
  const put = (prefix: string, some: Partial<DayFigures>): void => {
    for (const [figure, count] of Object.entries(some)) stored.set(`${prefix}.${figure}`, count);
  };
  put('figures', figures);
  for (const [quarter, ofQuarter] of Object.entries(quarters)) put(`quarters.${quarter}`, ofQuarter);
  return stored;
}

/** By record. */
function sumCounts(recorded: readonly QuarterCount[]): Map<string, Figures> {
  const counted = new Map<string, Figures>();
  for (const { mailboxId, type, quarter, count, firsts } of recorded) {
    const { day, quarterOfDay } = getQuarterOfDay(quarter);
    for (const of of mailboxId === null ? [null] : [null, mailboxId]) {
      const key = toKey(of, day);
      const figures = counted.get(key) ?? new Map<string, number>();
      for (const [figure, by] of getFigures(type, count, firsts)) {
        for (const path of [`figures.${figure}`, `quarters.${quarterOfDay}.${figure}`]) {
          figures.set(path, (figures.get(path) ?? 0) + by);
        }
      }
      counted.set(key, figures);
    }
  }
  return counted;
}

function toKey(mailboxId: Types.ObjectId | null, day: Date): string {
  return `${mailboxId?.toHexString() ?? ''} ${day.getTime()}`;
}
