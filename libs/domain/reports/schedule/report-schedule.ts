import { addDays, getDay, getMoment, getWeekday } from '@platform/time';
import { type ReportFrequency, type ReportPeriod } from '../content/report-shape';

/** When somebody wants a report, by the calendar and the clock of a place. */
export interface ReportRhythm {
  readonly frequency: ReportFrequency;
  /** ISO 8601: 1 = Monday … 7 = Sunday. Weekly: each such day. Monthly: the first one of each month. Daily: of no meaning. */
  readonly dayOfWeek: number;
  /** HH:MM */
  readonly timeOfDay: string;
  /** IANA name */
  readonly timezone: string;
}

/** One report that is to be sent by a rhythm. */
export interface ReportSlot {
  readonly at: Date;
  readonly period: ReportPeriod;
}

/** Two first Mondays of a month are at most five weeks apart; a slot is looked for on so many days. */
const LOOKED_AT_DAYS = 40;
/** The first such weekday of a month is one of its first seven days. */
const FIRST_OF_MONTH = 7;
const DAYS_OF_WEEK = 7;
/** A month by days, where it is asked for up to now. */
const DAYS_OF_MONTH = 30;

/** The next report later than a moment; its period is the one before it. */
export function slotAfter(rhythm: ReportRhythm, after: Date): ReportSlot {
  // From the day before: in a zone that leaves a day out, a time of that day comes with the next one.
  const from = addDays(getDay(after, rhythm.timezone), -1);
  return found(rhythm, from, 1, (at) => at > after);
}

/** The last report that was due at a moment, however long ago. */
export function slotUpTo(rhythm: ReportRhythm, now: Date): ReportSlot {
  return found(rhythm, addDays(getDay(now, rhythm.timezone), 1), -1, (at) => at <= now);
}

/** When the next report later than `after` is due. Right across changes of the clocks: `getMoment` says which moment it is. */
export function nextScheduledAt(rhythm: ReportRhythm, after: Date): Date {
  return slotAfter(rhythm, after).at;
}

/** What a report of that frequency is about on a day: the day, the seven days or the calendar month before it. */
export function periodBefore(at: Date, frequency: ReportFrequency, timezone: string): ReportPeriod {
  return periodBeforeDay(getDay(at, timezone), frequency, timezone);
}

/** What a report that somebody asks for now is about: today, with today the last seven days, or the last thirty. */
export function periodUpTo(now: Date, frequency: ReportFrequency, timezone: string): ReportPeriod {
  const last = getDay(now, timezone);
  const days = { daily: 1, weekly: DAYS_OF_WEEK, monthly: DAYS_OF_MONTH }[frequency];
  return { frequency, first: addDays(last, 1 - days), last, timezone };
}

/** Names a period among those of a recipient; the zone is not part of it: who moves gets no day twice. */
export function periodKey({ frequency, first, last }: ReportPeriod): string {
  return `${frequency} ${first} ${last}`;
}

function found(rhythm: ReportRhythm, from: string, step: 1 | -1, fits: (at: Date) => boolean): ReportSlot {
  const { frequency, timeOfDay, timezone } = rhythm;
  for (let days = 0; days <= LOOKED_AT_DAYS; days += 1) {
    const day = addDays(from, step * days);
    if (!isDayOf(rhythm, day)) continue;
    const at = getMoment(day, timeOfDay, timezone);
    if (fits(at)) return { at, period: periodBeforeDay(day, frequency, timezone) };
  }
  throw new Error(`There is no ${frequency} report within ${LOOKED_AT_DAYS} days`);
}

function isDayOf({ frequency, dayOfWeek }: ReportRhythm, day: string): boolean {
  if (frequency === 'daily') return true;
  return getWeekday(day) === dayOfWeek && (frequency === 'weekly' || Number(day.slice(8)) <= FIRST_OF_MONTH);
}

function periodBeforeDay(day: string, frequency: ReportFrequency, timezone: string): ReportPeriod {
  const yesterday = addDays(day, -1);
  switch (frequency) {
    case 'daily':
      return { frequency, first: yesterday, last: yesterday, timezone };
    case 'weekly':
      return { frequency, first: addDays(day, -DAYS_OF_WEEK), last: yesterday, timezone };
    case 'monthly': {
      const last = addDays(`${day.slice(0, 8)}01`, -1);
      return { frequency, first: `${last.slice(0, 8)}01`, last, timezone };
    }
  }
}
