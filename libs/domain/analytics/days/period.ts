import { type Span } from '@domain/events';
import { invalidField } from '@platform/errors';
import { addDays, dayOf, daysBetween, startOfDay } from '@platform/time';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/** Whole days of a zone. */
export interface Period extends Span {
  readonly timezone: string;
  /** YYYY-MM-DD */
  readonly first: string;
  /** YYYY-MM-DD, included */
  readonly last: string;
}

/**
 * The days that are asked for: without an end until today, without a beginning the thirty days up to the end.
 * @throws VALIDATION_ERROR for days that end before they begin, or are more than 366
 */
export function periodOf(asked: { from?: string; to?: string }, timezone: string, now: Date): Period {
  const last = asked.to ?? dayOf(now, timezone);
  const first = asked.from ?? addDays(last, 1 - DEFAULT_DAYS);
  if (first > last) throw invalidField('to', `to must not be earlier than from (${first} to ${last})`);
  if (addDays(first, MAX_DAYS - 1) < last) {
    throw invalidField('to', `from and to must not be more than ${MAX_DAYS} days apart`);
  }
  return { timezone, first, last, from: startOfDay(first, timezone), until: startOfDay(addDays(last, 1), timezone) };
}

/** Each day of the period with the moments between which it lies. */
export function daysOf({ first, last, timezone, until }: Period): (Span & { readonly day: string })[] {
  const days = daysBetween(first, last).map((day) => ({ day, from: startOfDay(day, timezone) }));
  return days.map((one, index) => ({ ...one, until: days[index + 1]?.from ?? until }));
}
