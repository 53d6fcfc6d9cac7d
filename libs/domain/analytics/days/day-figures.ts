import { type EventRecord, type EventType, QUARTER_MS } from '@domain/events';
import { type Types } from 'mongoose';
import { DAY_FIGURES, type DayFigure, type DayFigures } from '../schemas/campaign-day.record';

export const DAY_MS = 86_400_000;
const QUARTERS = DAY_MS / QUARTER_MS;

interface CountedAs {
  /** Each event counts. */
  readonly events?: DayFigure;
  /** Only the first event of each lead counts. */
  readonly leads?: DayFigure;
}

/** The events of days and the figures they count in; defined in docs/users/analytics.md. */
const COUNTED_AS: Partial<Record<EventType, CountedAs>> = {
  'email.sent': { events: 'sent', leads: 'contacted' },
  'email.opened': { leads: 'opened' },
  'email.clicked': { leads: 'clicked' },
  'email.replied': { leads: 'replied' },
  'email.positive_reply': { leads: 'positiveReplied' },
  'email.bounced': { events: 'bounced' },
  'email.unsubscribed': { leads: 'unsubscribed' },
  'email.auto_replied': { events: 'autoReplied' },
  'email.complained': { events: 'complained' },
};
export const COUNTED_EVENTS = Object.keys(COUNTED_AS) as EventType[];

/** Returns the figures of a number of events, of which some were the first of their lead. */
export function getFigures(type: EventType, count: number, firsts: number): [DayFigure, number][] {
  const { events, leads } = COUNTED_AS[type] ?? {};
  const figures: [DayFigure, number][] = [];
  if (events && count > 0) figures.push([events, count]);
  if (leads && firsts > 0) figures.push([leads, firsts]);
  return figures;
}

export function createDayFigures(): DayFigures {
  return Object.fromEntries(DAY_FIGURES.map((figure) => [figure, 0])) as DayFigures;
}

export function addTo(sum: DayFigures, more: Partial<DayFigures> | undefined): void {
  for (const figure of DAY_FIGURES) sum[figure] += more?.[figure] ?? 0;
}

/** The day of UTC and the quarter of an hour in it. */
export function getQuarterOfDay(quarter: number): { day: Date; quarterOfDay: number } {
  return { day: new Date(Math.floor(quarter / QUARTERS) * DAY_MS), quarterOfDay: quarter % QUARTERS };
}

/** The increments of one record. */
export interface DayIncrement {
  readonly workspaceId: Types.ObjectId;
  readonly campaignId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId | null;
  readonly day: Date;
  /** By path: `figures.sent`, `quarters.37.sent`. */
  readonly by: Record<string, number>;
}

type CountedEvent = Pick<EventRecord, 'workspaceId' | 'campaignId' | 'mailboxId' | 'type' | 'at' | 'data'>;

/** The increments of the days of campaigns, one per record. */
export function getIncrements(events: readonly CountedEvent[]): DayIncrement[] {
  const increments = new Map<string, DayIncrement>();
  for (const { workspaceId, campaignId, mailboxId, type, at, data } of events) {
    if (campaignId === null) continue;
    const { day, quarterOfDay } = getQuarterOfDay(Math.floor(at.getTime() / QUARTER_MS));
    const figures = getFigures(type, 1, data['firstOfLead'] === true ? 1 : 0);
    // Events without a mailbox count only in the record of the sum.
    for (const of of mailboxId === null ? [null] : [null, mailboxId]) {
      const key = [campaignId, of, day.getTime()].join();
      const { by } = increments.get(key) ?? {};
      const sums = by ?? {};
      for (const [figure, count] of figures) {
        for (const path of [`figures.${figure}`, `quarters.${quarterOfDay}.${figure}`]) {
          sums[path] = (sums[path] ?? 0) + count;
        }
      }
      increments.set(key, { workspaceId, campaignId, mailboxId: of, day, by: sums });
    }
  }
  return [...increments.values()].filter(({ by }) => Object.keys(by).length > 0);
}
