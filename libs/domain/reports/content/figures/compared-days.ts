import { addDays, daysBetween } from '@platform/time';
import { type ReportPeriod } from '../report-shape';

/** Days that a report of one day shows the course of, itself included. */
const TREND_DAYS = 14;

type Days = Pick<ReportPeriod, 'first' | 'last' | 'timezone'>;

/** What a period is compared with: the calendar month before a whole one, else as many days before it. */
export function getPreviousDays({ first, last, timezone }: Days): Days {
  const end = addDays(first, -1);
  return {
    first: isMonth(first, last) ? `${end.slice(0, 8)}01` : addDays(first, -countDays(first, last)),
    last: end,
    timezone,
  };
}

/** Whose course is drawn: the days of the period; a single one says little without those before it. */
export function getTrendDays({ first, last, timezone }: Days): Days {
  return { first: first === last ? addDays(last, 1 - TREND_DAYS) : first, last, timezone };
}

function isMonth(first: string, last: string): boolean {
  return first.endsWith('-01') && first.slice(0, 7) === last.slice(0, 7) && addDays(last, 1).endsWith('-01');
}

function countDays(first: string, last: string): number {
  return daysBetween(first, last).length;
}
