import { addDays, getDay, getMoment, getWeekday } from '@platform/time';
import { type ReportFrequency, type ReportPeriod } from '../content/report-shape';

/** When a recipient wants reports, in local time of a zone. */
export interface ReportFrequencyRule {
  readonly frequency: ReportFrequency;
  /** ISO 8601: 1 = Monday … 7 = Sunday. Weekly: each such day. Monthly: the first one of each month. Daily: ignored. */
  readonly dayOfWeek: number;
  /** HH:MM */
  readonly timeOfDay: string;
  /** IANA name */
  readonly timezone: string;
}

/** One scheduled report. */
export interface ReportSlot {
  readonly at: Date;
  readonly period: ReportPeriod;
}

/** Search limit: two first Mondays of a month are at most five weeks apart. */
const MAX_SEARCH_DAYS = 40;
/** The first such weekday of a month is one of its first seven days. */
const FIRST_OF_MONTH = 7;
const DAYS_OF_WEEK = 7;
/** Days of a monthly report that is requested manually. */
const DAYS_OF_MONTH = 30;

/** The next report after a moment, about the period before it. */
export function getSlotAfter(rule: ReportFrequencyRule, after: Date): ReportSlot {
  // Starts one day earlier: a zone may skip a day, and its time then falls on the next one.
  const from = addDays(getDay(after, rule.timezone), -1);
  return findSlot(rule, from, 1, (at) => at > after);
}

/** The last report that was due at a moment. */
export function getSlotUpTo(rule: ReportFrequencyRule, now: Date): ReportSlot {
  return findSlot(rule, addDays(getDay(now, rule.timezone), 1), -1, (at) => at <= now);
}

/** When the next report after `after` is due. `getMoment` handles daylight saving time. */
export function getNextScheduledAt(rule: ReportFrequencyRule, after: Date): Date {
  return getSlotAfter(rule, after).at;
}

/** The period of a report on a day: the day, the seven days or the calendar month before it. */
export function getPeriodBefore(at: Date, frequency: ReportFrequency, timezone: string): ReportPeriod {
  return getPeriodBeforeDay(getDay(at, timezone), frequency, timezone);
}

/** The period of a manual report: today, the last seven days or the last thirty, today included. */
export function getPeriodUpTo(now: Date, frequency: ReportFrequency, timezone: string): ReportPeriod {
  const last = getDay(now, timezone);
  const days = { daily: 1, weekly: DAYS_OF_WEEK, monthly: DAYS_OF_MONTH }[frequency];
  return { frequency, first: addDays(last, 1 - days), last, timezone };
}

/** Key of a period within a recipient. Without the zone: after a change of zone no day is reported twice. */
export function getPeriodKey({ frequency, first, last }: ReportPeriod): string {
  return `${frequency} ${first} ${last}`;
}

function findSlot(rule: ReportFrequencyRule, from: string, step: 1 | -1, fits: (at: Date) => boolean): ReportSlot {
  const { frequency, timeOfDay, timezone } = rule;
  for (let days = 0; days <= MAX_SEARCH_DAYS; days += 1) {
    const day = addDays(from, step * days);
    if (!isReportDay(rule, day)) continue;
    const at = getMoment(day, timeOfDay, timezone);
    if (fits(at)) return { at, period: getPeriodBeforeDay(day, frequency, timezone) };
  }
  throw new Error(`There is no ${frequency} report within ${MAX_SEARCH_DAYS} days`);
}

function isReportDay({ frequency, dayOfWeek }: ReportFrequencyRule, day: string): boolean {
  if (frequency === 'daily') return true;
  return getWeekday(day) === dayOfWeek && (frequency === 'weekly' || Number(day.slice(8)) <= FIRST_OF_MONTH);
}

function getPeriodBeforeDay(day: string, frequency: ReportFrequency, timezone: string): ReportPeriod {
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
