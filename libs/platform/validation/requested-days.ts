import { invalidField } from '@platform/errors';
import { addDays, getDay } from '@platform/time';

const DEFAULT_DAYS = 30;
const MAX_DAYS = 366;

/**
 * The first and the last day (YYYY-MM-DD, both included) that a request asks for: without an end until today, without a beginning
 * the thirty days up to the end.
 * @throws VALIDATION_ERROR for days that end before they begin, or are more than 366
 */
export function requestedDays(
  requested: { from?: string; to?: string },
  timezone: string,
  now: Date,
): { from: string; to: string } {
  const to = requested.to ?? getDay(now, timezone);
  const from = requested.from ?? addDays(to, 1 - DEFAULT_DAYS);
  if (from > to) throw invalidField('to', `to must not be earlier than from (${from} to ${to})`);
  if (addDays(from, MAX_DAYS - 1) < to) {
    throw invalidField('to', `from and to must not be more than ${MAX_DAYS} days apart`);
  }
  return { from, to };
}
