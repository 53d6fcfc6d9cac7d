import { EventsService, type QuarterCount, type Span } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model, Types } from 'mongoose';
import { COUNTED_EVENTS, DAY_MS, getFigures, placeOf } from '../days/day-figures';
import { CampaignDayRecord, type DayFigures } from '../schemas/campaign-day.record';

/** A figure of a campaign's day that is not what a recount gives. */
export interface CampaignDayDifference {
  readonly campaignId: string;
  /** null: all together. */
  readonly mailboxId: string | null;
  /** YYYY-MM-DD in UTC */
  readonly day: string;
  /** `sent`; of a quarter of an hour, from 0, when the figure of the day is right: `sent@37` */
  readonly figure: string;
  readonly is: number;
  readonly shouldBe: number;
}

/** Days that are looked at together, in one transaction: what has to be held at once does not grow with the history. */
const AT_ONCE_MS = 31 * DAY_MS;
const WRITTEN_AT_ONCE = 100;

/** Of one record, by path: `figures.sent`, `quarters.37.sent`. */
type Figures = Map<string, number>;

/** Makes the days of campaigns again from the events that they were made from: those that were handed on. */
@Injectable()
export class StatsRebuildService {
  constructor(
    @InjectModel(CampaignDayRecord.name) private readonly days: Model<CampaignDayRecord>,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * While events are handed on it sees them and the days together, and corrects by the difference.
   * @param isCheck nothing is written
   * @throws SERVICE_UNAVAILABLE when the campaign is too busy
   */
  async run(workspaceId: string, campaignId: Types.ObjectId, isCheck: boolean): Promise<CampaignDayDifference[]> {
    const span = await this.#span(workspaceId, campaignId);
    const differences: CampaignDayDifference[] = [];
    if (!span) return differences;
    const end = span.until.getTime();
    for (let at = Math.floor(span.from.getTime() / DAY_MS) * DAY_MS; at < end; at += AT_ONCE_MS) {
      const some = { from: new Date(at), until: new Date(at + AT_ONCE_MS) };
      const found = await this.transactions.run(() => this.#some(workspaceId, campaignId, some, isCheck));
      differences.push(...found);
    }
    return differences;
  }

  /** In which something happened, or was counted. */
  async #span(workspaceId: string, campaignId: Types.ObjectId): Promise<Span | null> {
    const told = await this.events.span(workspaceId, campaignId);
    const edge = (order: 1 | -1) =>
      this.days
        .findOne({ workspaceId, campaignId, mailboxId: null }, { day: 1 })
        .sort({ day: order })
        .lean<Pick<CampaignDayRecord, 'day'>>();
    const kept = [(await edge(1))?.day, (await edge(-1))?.day].filter((day) => day !== undefined);
    const times = [...kept.flatMap((day) => [+day, +day + 1]), ...(told ? [+told.from, +told.until] : [])];
    return times.length === 0 ? null : { from: new Date(Math.min(...times)), until: new Date(Math.max(...times)) };
  }

  async #some(
    workspaceId: string,
    campaignId: Types.ObjectId,
    span: Span,
    isCheck: boolean,
  ): Promise<CampaignDayDifference[]> {
    const told = await this.events.countByQuarter(workspaceId, COUNTED_EVENTS, span, campaignId);
    const kept = await this.days
      .find({ workspaceId, campaignId, day: { $gte: span.from, $lt: span.until } })
      .lean<CampaignDayRecord[]>();
    const is = new Map(kept.map((record) => [keyOf(record.mailboxId, record.day), keptOf(record)]));
    const shouldBe = countedOf(told);
    const differences: CampaignDayDifference[] = [];
    const corrections: Correction[] = [];
    for (const key of new Set([...is.keys(), ...shouldBe.keys()])) {
      const paths = differing(is.get(key), shouldBe.get(key));
      if (paths.length === 0) continue;
      const [mailbox = '', time = ''] = key.split(' ');
      const of = { mailboxId: mailbox === '' ? null : mailbox, day: new Date(Number(time)) };
      differences.push(...toldOf(campaignId, of, paths));
      if (isCheck) continue;
      const by = Object.fromEntries(paths.map(({ path, is: from, shouldBe: to }) => [path, to - from]));
      const mailboxId = of.mailboxId === null ? null : new Types.ObjectId(of.mailboxId);
      corrections.push({ filter: { campaignId, mailboxId, day: of.day }, by });
    }
    await this.#correct(workspaceId, corrections);
    return differences;
  }

  async #correct(workspaceId: string, corrections: readonly Correction[]): Promise<void> {
    for (let at = 0; at < corrections.length; at += WRITTEN_AT_ONCE) {
      await this.days.bulkWrite(
        corrections.slice(at, at + WRITTEN_AT_ONCE).map(({ filter, by }) => ({
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

function differing(kept: Figures = new Map(), counted: Figures = new Map()): Differing[] {
  return [...new Set([...kept.keys(), ...counted.keys()])].flatMap((path) => {
    const [is, shouldBe] = [kept.get(path) ?? 0, counted.get(path) ?? 0];
    return is === shouldBe ? [] : [{ path, is, shouldBe }];
  });
}

/** Quarters are told of when the day's figures are right: otherwise they say the same again. */
function toldOf(
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

function keptOf({ figures = {}, quarters = {} }: CampaignDayRecord): Figures {
  const kept: Figures = new Map();
  const put = (prefix: string, some: Partial<DayFigures>): void => {
    for (const [figure, count] of Object.entries(some)) kept.set(`${prefix}.${figure}`, count);
  };
  put('figures', figures);
  for (const [quarter, ofQuarter] of Object.entries(quarters)) put(`quarters.${quarter}`, ofQuarter);
  return kept;
}

/** By record. */
function countedOf(told: readonly QuarterCount[]): Map<string, Figures> {
  const counted = new Map<string, Figures>();
  for (const { mailboxId, type, quarter, count, firsts } of told) {
    const { day, quarterOfDay } = placeOf(quarter);
    for (const of of mailboxId === null ? [null] : [null, mailboxId]) {
      const key = keyOf(of, day);
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

function keyOf(mailboxId: Types.ObjectId | null, day: Date): string {
  return `${mailboxId?.toHexString() ?? ''} ${day.getTime()}`;
}
