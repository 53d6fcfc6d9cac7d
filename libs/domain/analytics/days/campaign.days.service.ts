import { QUARTER_MS, type Span } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, Types } from 'mongoose';
import { CampaignDayRecord, DAY_FIGURES, type DayFigures } from '../schemas/campaign-day.record';
import { addTo, DAY_MS, noFigures } from './day.figures';
import { daysOf, type Period } from './period';

type Sums = Map<string, DayFigures>;
type Kept = Pick<CampaignDayRecord, 'campaignId' | 'mailboxId' | 'day' | 'figures' | 'quarters'>;

const SUMMED = Object.fromEntries(DAY_FIGURES.map((figure) => [figure, { $sum: `$figures.${figure}` }]));

/** Figures of campaigns in a time. It reads a record for each campaign and day, whatever happened on it. */
@Injectable()
export class CampaignDays {
  constructor(@InjectModel(CampaignDayRecord.name) private readonly days: Model<CampaignDayRecord>) {}

  /** By id of the campaign; one in which nothing happened is absent. */
  async ofCampaigns(workspaceId: string, span: Span): Promise<Sums> {
    return this.#sums(workspaceId, span, null);
  }

  /** By id of the mailbox, all campaigns together; one to which nothing happened is absent. */
  async ofMailboxes(workspaceId: string, span: Span, mailboxIds: readonly string[]): Promise<Sums> {
    return this.#sums(
      workspaceId,
      span,
      mailboxIds.map((id) => new Types.ObjectId(id)),
    );
  }

  /** One campaign, day by day of the period's zone, also those on which nothing happened. */
  async byDay(workspaceId: string, campaignId: Types.ObjectId, period: Period): Promise<Map<string, DayFigures>> {
    const days = daysOf(period);
    const figures = new Map(days.map(({ day }) => [day, noFigures()]));
    const found = await this.days
      .find({ workspaceId, campaignId, mailboxId: null, day: { $gte: startOf(period.from), $lt: period.until } })
      .sort({ day: 1 })
      .lean<Kept[]>();
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

  /** Whole days of UTC are added up by the database, at most two others by their quarters. */
  async #sums(workspaceId: string, { from, until }: Span, mailboxIds: Types.ObjectId[] | null): Promise<Sums> {
    const by = mailboxIds ? 'mailboxId' : 'campaignId';
    const of = { workspaceId: new Types.ObjectId(workspaceId), mailboxId: mailboxIds && { $in: mailboxIds } };
    const whole = { from: startOf(new Date(from.getTime() + DAY_MS - 1)), until: startOf(until) };
    const rows = await this.days.aggregate<DayFigures & { _id: Types.ObjectId }>([
      { $match: { ...of, day: { $gte: whole.from, $lt: whole.until } } },
      { $group: { _id: `$${by}`, ...SUMMED } },
    ]);
    const sums: Sums = new Map();
    const add = (id: Types.ObjectId | null, figures: Partial<DayFigures>): void => {
      const sum = sums.get(String(id)) ?? noFigures();
      addTo(sum, figures);
      sums.set(String(id), sum);
    };
    for (const { _id, ...figures } of rows) add(_id, figures);
    const edges = [startOf(from), whole.until].filter((day) => !isWhole(day, { from, until }) && day < until);
    const partly = await this.days.find({ ...of, day: { $in: edges } }).lean<Kept[]>();
    for (const kept of partly) add(kept[by], within(kept, { from, until }));
    return sums;
  }
}

/** What happened on the day within these moments. */
function within(kept: Kept, span: Span): Partial<DayFigures> {
  if (isWhole(kept.day, span)) return kept.figures ?? {};
  const sum = noFigures();
  for (const [number, figures] of Object.entries(kept.quarters ?? {})) {
    const at = kept.day.getTime() + Number(number) * QUARTER_MS;
    if (at >= span.from.getTime() && at < span.until.getTime()) addTo(sum, figures);
  }
  return sum;
}

function isWhole(day: Date, { from, until }: Span): boolean {
  return from <= day && day.getTime() + DAY_MS <= until.getTime();
}

/** Of the day of UTC. */
function startOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS);
}
