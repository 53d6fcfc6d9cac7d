import { type Span } from '@domain/events';
import { addDays, daysBetween, startOfDay } from '@platform/time';
import { requestedDays } from '@platform/validation';

/** Whole days of a zone. */
export interface Period extends Span {
  readonly timezone: string;
  /** YYYY-MM-DD */
  readonly first: string;
  /** YYYY-MM-DD, included */
  readonly last: string;
}

/** Days of a zone by their dates, the last one included. */
export type NamedDays = Pick<Period, 'first' | 'last' | 'timezone'>;

/** Adds the moments of the first and the last day. */
export function toPeriod({ first, last, timezone }: NamedDays): Period {
  return { timezone, first, last, from: startOfDay(first, timezone), until: startOfDay(addDays(last, 1), timezone) };
}

/** Returns the requested period (`requestedDays`). @throws VALIDATION_ERROR */
export function getPeriod(requested: { from?: string; to?: string }, timezone: string, now: Date): Period {
  const { from: first, to: last } = requestedDays(requested, timezone, now);
  return toPeriod({ first, last, timezone });
}

/** Each day of the period with its moments. */
export function getDays({ first, last, timezone, until }: Period): (Span & { readonly day: string })[] {
  const days = daysBetween(first, last).map((day) => ({ day, from: startOfDay(day, timezone) }));
  return days.map((one, index) => ({ ...one, until: days[index + 1]?.from ?? until }));
}
