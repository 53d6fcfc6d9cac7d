import { QUARTER_MS, type Span } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { CampaignDayRecord, DAY_FIGURES, type DayFigures } from '../schemas/campaign-day.record';
import { addTo, DAY_MS, createDayFigures } from './day-figures';
import { getDays, type Period } from './period';

type Sums = Map<string, DayFigures>;
type StoredDay = Pick<CampaignDayRecord, 'campaignId' | 'mailboxId' | 'day' | 'figures' | 'quarters'>;

const SUMMED = Object.fromEntries(DAY_FIGURES.map((figure) => [figure, { $sum: `$figures.${figure}` }]));
const SUMMED_QUARTERS = Object.fromEntries(DAY_FIGURES.map((figure) => [figure, { $sum: `$quarters.v.${figure}` }]));

/** Figures of campaigns in a period. It reads one record per campaign and day. */
@Injectable()
export class CampaignDaysRepository {
  constructor(@InjectModel(CampaignDayRecord.name) private readonly days: Model<CampaignDayRecord>) {}

  /**
   * Figures by campaign id; campaigns without activity are absent.
   * @param only only these campaigns; null: all of the workspace
   */
  async ofCampaigns(workspaceId: string, span: Span, only: readonly string[] | null = null): Promise<Sums> {
    return this.#sums(workspaceId, span, { mailboxIds: null, campaignIds: only });
  }

  /**
   * Figures of all campaigns by mailbox id; mailboxes without activity are absent.
   * @param campaignIds only in these campaigns; null: in all of the workspace
   */
  async ofMailboxes(
    workspaceId: string,
    span: Span,
    mailboxIds: readonly string[],
    campaignIds: readonly string[] | null = null,
  ): Promise<Sums> {
    return this.#sums(workspaceId, span, { mailboxIds, campaignIds });
  }

  /** Figures of one campaign by day of the period's zone, days without activity included. */
  async byDay(workspaceId: string, campaignId: Types.ObjectId, period: Period): Promise<Map<string, DayFigures>> {
    const days = getDays(period);
    const figures = new Map(days.map(({ day }) => [day, createDayFigures()]));
    const found = await this.days
      .find({ workspaceId, campaignId, mailboxId: null, day: { $gte: getStartOfDay(period.from), $lt: period.until } })
      .sort({ day: 1 })
      .lean<StoredDay[]>();
    // Both lists are sorted: days that end before a record begins are dropped.
    const left = [...days];
    for (const stored of found) {
      const end = stored.day.getTime() + DAY_MS;
      while (left[0] && left[0].until <= stored.day) left.shift();
      for (const one of left) {
        if (one.from.getTime() >= end) break;
        const sum = figures.get(one.day);
        if (sum) addTo(sum, getFiguresWithin(stored, one));
      }
    }
    return figures;
  }

  /**
   * Sum of several campaigns by day of the period's zone; days without activity are absent. The database adds them up
   * and returns at most one row per quarter of an hour.
   */
  async togetherByDay(
    workspaceId: string,
    campaignIds: readonly Types.ObjectId[],
    period: Period,
  ): Promise<Map<string, DayFigures>> {
    const rows = await this.days.aggregate<DayFigures & { _id: { day: Date; quarter: string } }>([
      {
        $match: {
          workspaceId: new Types.ObjectId(workspaceId),
          campaignId: { $in: [...campaignIds] },
          mailboxId: null,
          day: { $gte: getStartOfDay(period.from), $lt: period.until },
        },
      },
      { $project: { day: 1, quarters: { $objectToArray: { $ifNull: ['$quarters', {}] } } } },
      { $unwind: '$quarters' },
      { $group: { _id: { day: '$day', quarter: '$quarters.k' }, ...SUMMED_QUARTERS } },
    ]);
    const days = getDays(period);
    const sums = new Map<string, DayFigures>();
    for (const { _id, ...figures } of rows) {
      const at = new Date(_id.day.getTime() + Number(_id.quarter) * QUARTER_MS);
      const on = days.find(({ from, until }) => from <= at && at < until);
      if (!on) continue;
      const sum = sums.get(on.day) ?? createDayFigures();
      addTo(sum, figures);
      sums.set(on.day, sum);
    }
    return sums;
  }

  /** The database adds up whole days of UTC; at most two other days are added by their quarters. */
  async #sums(
    workspaceId: string,
    { from, until }: Span,
    { mailboxIds, campaignIds }: Record<'mailboxIds' | 'campaignIds', readonly string[] | null>,
  ): Promise<Sums> {
    const by = mailboxIds ? 'mailboxId' : 'campaignId';
    const of = {
      workspaceId: new Types.ObjectId(workspaceId),
      mailboxId: mailboxIds && { $in: toObjectIds(mailboxIds) },
      ...(campaignIds && { campaignId: { $in: toObjectIds(campaignIds) } }),
    };
    const whole = { from: getStartOfDay(new Date(from.getTime() + DAY_MS - 1)), until: getStartOfDay(until) };
    const rows = await this.days.aggregate<DayFigures & { _id: Types.ObjectId }>([
      { $match: { ...of, day: { $gte: whole.from, $lt: whole.until } } },
      { $group: { _id: `$${by}`, ...SUMMED } },
    ]);
    const sums: Sums = new Map();
    const add = (id: Types.ObjectId | null, figures: Partial<DayFigures>): void => {
      const sum = sums.get(String(id)) ?? createDayFigures();
      addTo(sum, figures);
      sums.set(String(id), sum);
    };
    for (const { _id, ...figures } of rows) add(_id, figures);
    const edges = [getStartOfDay(from), whole.until].filter((day) => !isWhole(day, { from, until }) && day < until);
    const partly = await this.days.find({ ...of, day: { $in: edges } }).lean<StoredDay[]>();
    for (const stored of partly) add(stored[by], getFiguresWithin(stored, { from, until }));
    return sums;
  }
}

/** The figures of the day within the period. */
function getFiguresWithin(stored: StoredDay, span: Span): Partial<DayFigures> {
  if (isWhole(stored.day, span)) return stored.figures ?? {};
  const sum = createDayFigures();
  for (const [number, figures] of Object.entries(stored.quarters ?? {})) {
    const at = stored.day.getTime() + Number(number) * QUARTER_MS;
    if (at >= span.from.getTime() && at < span.until.getTime()) addTo(sum, figures);
  }
  return sum;
}

function isWhole(day: Date, { from, until }: Span): boolean {
  return from <= day && day.getTime() + DAY_MS <= until.getTime();
}

function toObjectIds(ids: readonly string[]): Types.ObjectId[] {
  return ids.map((id) => new Types.ObjectId(id));
}

/** The beginning of the day in UTC. */
function getStartOfDay(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}
