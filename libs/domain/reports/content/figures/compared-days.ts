import { addDays, daysBetween } from '@platform/time';
import { type ReportPeriod } from '../report-shape';

/** Days in the trend of a daily report, its day included. */
const TREND_DAYS = 14;

type Days = Pick<ReportPeriod, 'first' | 'last' | 'timezone'>;

/** The period of comparison: the calendar month before a whole month, otherwise the same number of days before. */
export function getPreviousDays({ first, last, timezone }: Days): Days {
  const end = addDays(first, -1);
  return {
    first: isMonth(first, last) ? `${end.slice(0, 8)}01` : addDays(first, -countDays(first, last)),
    last: end,
    timezone,
  };
}

/** The days of the trend: those of the period; a single day is shown with the days before it. */
export function getTrendDays({ first, last, timezone }: Days): Days {
  return { first: first === last ? addDays(last, 1 - TREND_DAYS) : first, last, timezone };
}

function isMonth(first: string, last: string): boolean {
  return first.endsWith('-01') && first.slice(0, 7) === last.slice(0, 7) && addDays(last, 1).endsWith('-01');
}

function countDays(first: string, last: string): number {
  return daysBetween(first, last).length;
}
