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

/** Days of a zone by their names, the last one included. */
export type NamedDays = Pick<Period, 'first' | 'last' | 'timezone'>;

/** The days with the moments between which they lie. */
export function toPeriod({ first, last, timezone }: NamedDays): Period {
  return { timezone, first, last, from: startOfDay(first, timezone), until: startOfDay(addDays(last, 1), timezone) };
}

/** The days that are asked for (`requestedDays`), and the moments between which they lie. @throws VALIDATION_ERROR */
export function getPeriod(asked: { from?: string; to?: string }, timezone: string, now: Date): Period {
  const { from: first, to: last } = requestedDays(asked, timezone, now);
  return toPeriod({ first, last, timezone });
}

/** Each day of the period with the moments between which it lies. */
export function getDays({ first, last, timezone, until }: Period): (Span & { readonly day: string })[] {
  const days = daysBetween(first, last).map((day) => ({ day, from: startOfDay(day, timezone) }));
  return days.map((one, index) => ({ ...one, until: days[index + 1]?.from ?? until }));
}
