import { QUARTER_MS, type Span } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { CampaignDayRecord, DAY_FIGURES, type DayFigures } from '../schemas/campaign-day.record';
import { addTo, DAY_MS, createFigures } from './day-figures';
import { getDays, type Period } from './period';

type Sums = Map<string, DayFigures>;
type StoredDay = Pick<CampaignDayRecord, 'campaignId' | 'mailboxId' | 'day' | 'figures' | 'quarters'>;

const SUMMED = Object.fromEntries(DAY_FIGURES.map((figure) => [figure, { $sum: `$figures.${figure}` }]));
const SUMMED_QUARTERS = Object.fromEntries(DAY_FIGURES.map((figure) => [figure, { $sum: `$quarters.v.${figure}` }]));

/** Figures of campaigns in a time. It reads a record for each campaign and day, whatever happened on it. */
@Injectable()
export class CampaignDaysRepository {
  constructor(@InjectModel(CampaignDayRecord.name) private readonly days: Model<CampaignDayRecord>) {}

  /**
   * By id of the campaign; one in which nothing happened is absent.
   * @param only those of these; null: all of the workspace
   */
  async ofCampaigns(workspaceId: string, span: Span, only: readonly string[] | null = null): Promise<Sums> {
    return this.#sums(workspaceId, span, { mailboxIds: null, campaignIds: only });
  }

  /**
   * By id of the mailbox, all campaigns together; one to which nothing happened is absent.
   * @param campaignIds only what happened in these; null: in all of the workspace
   */
  async ofMailboxes(
    workspaceId: string,
    span: Span,
    mailboxIds: readonly string[],
    campaignIds: readonly string[] | null = null,
  ): Promise<Sums> {
    return this.#sums(workspaceId, span, { mailboxIds, campaignIds });
  }

  /** One campaign, day by day of the period's zone, also those on which nothing happened. */
  async byDay(workspaceId: string, campaignId: Types.ObjectId, period: Period): Promise<Map<string, DayFigures>> {
    const days = getDays(period);
    const figures = new Map(days.map(({ day }) => [day, createFigures()]));
    const found = await this.days
      .find({ workspaceId, campaignId, mailboxId: null, day: { $gte: startOf(period.from), $lt: period.until } })
      .sort({ day: 1 })
      .lean<StoredDay[]>();
    // Both are in order: what has ended before a record begins is not looked at again.
    const left = [...days];
    for (const kept of found) {
      const end = kept.day.getTime() + DAY_MS;
      while (left[0] && left[0].until <= kept.day) left.shift();
      for (const one of left) {
        if (one.from.getTime() >= end) break;
        const sum = figures.get(one.day);
        if (sum) addTo(sum, within(kept, one));
      }
    }
    return figures;
  }

  /**
   * Several campaigns together, day by day of the period's zone; days on which nothing happened are absent. However many campaigns
   * there are, the database adds them up: at most a row for each quarter of an hour comes back.
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
          day: { $gte: startOf(period.from), $lt: period.until },
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
      const sum = sums.get(on.day) ?? createFigures();
      addTo(sum, figures);
      sums.set(on.day, sum);
    }
    return sums;
  }

  /** Whole days of UTC are added up by the database, at most two others by their quarters. */
  async #sums(
    workspaceId: string,
    { from, until }: Span,
    { mailboxIds, campaignIds }: Record<'mailboxIds' | 'campaignIds', readonly string[] | null>,
  ): Promise<Sums> {
    const by = mailboxIds ? 'mailboxId' : 'campaignId';
    const of = {
      workspaceId: new Types.ObjectId(workspaceId),
      mailboxId: mailboxIds && { $in: objectIds(mailboxIds) },
      ...(campaignIds && { campaignId: { $in: objectIds(campaignIds) } }),
    };
    const whole = { from: startOf(new Date(from.getTime() + DAY_MS - 1)), until: startOf(until) };
    const rows = await this.days.aggregate<DayFigures & { _id: Types.ObjectId }>([
      { $match: { ...of, day: { $gte: whole.from, $lt: whole.until } } },
      { $group: { _id: `$${by}`, ...SUMMED } },
    ]);
    const sums: Sums = new Map();
    const add = (id: Types.ObjectId | null, figures: Partial<DayFigures>): void => {
      const sum = sums.get(String(id)) ?? createFigures();
      addTo(sum, figures);
      sums.set(String(id), sum);
    };
    for (const { _id, ...figures } of rows) add(_id, figures);
    const edges = [startOf(from), whole.until].filter((day) => !isWhole(day, { from, until }) && day < until);
    const partly = await this.days.find({ ...of, day: { $in: edges } }).lean<StoredDay[]>();
    for (const kept of partly) add(kept[by], within(kept, { from, until }));
    return sums;
  }
}

/** What happened on the day within these moments. */
function within(kept: StoredDay, span: Span): Partial<DayFigures> {
  if (isWhole(kept.day, span)) return kept.figures ?? {};
  const sum = createFigures();
  for (const [number, figures] of Object.entries(kept.quarters ?? {})) {
    const at = kept.day.getTime() + Number(number) * QUARTER_MS;
    if (at >= span.from.getTime() && at < span.until.getTime()) addTo(sum, figures);
  }
  return sum;
}

function isWhole(day: Date, { from, until }: Span): boolean {
  return from <= day && day.getTime() + DAY_MS <= until.getTime();
}

function objectIds(ids: readonly string[]): Types.ObjectId[] {
  return ids.map((id) => new Types.ObjectId(id));
}

/** Of the day of UTC. */
function startOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}
