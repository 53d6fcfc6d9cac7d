import { getLocal } from '@platform/time';
import { type ReportPeriod } from '../report-shape';
import { share } from '../figures/figure-sums';

const whole = new Intl.NumberFormat('en-US');
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** From which on a number is shown in thousands or millions where there is little room. */
const COMPACT_FROM = 100_000;

/** How a figure has changed; `better` and `worse` say whether that is good news, which depends on the figure. */
export interface Change {
  readonly text: string;
  /** `+4`; '' without a change. */
  readonly by: string;
  readonly tone: 'better' | 'worse' | 'same';
}

export function amount(value: number): string {
  return whole.format(value);
}

export function shortAmount(value: number): string {
  return value >= COMPACT_FROM ? compact.format(value) : whole.format(value);
}

/** `3.5%`; a dash while there is nothing to divide by. */
export function getRate(part: number, of: number): string {
  return of === 0 ? '–' : percent.format(share(part, of));
}

/** @param isGoodWhen in which direction the figure should go; null where neither is good or bad */
export function getChange(now: number, before: number, isGoodWhen: 'up' | 'down' | null): Change {
  const by = now - before;
  if (by === 0) return { text: 'no change', by: '', tone: 'same' };
  const sign = by > 0 ? '+' : '−';
  const size = `${sign}${amount(Math.abs(by))}`;
  const relative = before === 0 ? '' : ` (${sign}${percent.format(Math.abs(by) / before)})`;
  const isGood = by > 0 === (isGoodWhen === 'up');
  return { text: size + relative, by: size, tone: isGoodWhen === null ? 'same' : isGood ? 'better' : 'worse' };
}

/** `Mon, 2 Nov` */
export function shortDay(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  return `${part(at, { weekday: 'short' })}, ${part(at, { day: 'numeric' })} ${part(at, { month: 'short' })}`;
}

/** `2 Nov` */
export function dayOnAxis(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  return `${part(at, { day: 'numeric' })} ${part(at, { month: 'short' })}`;
}

/** `Mon, 2 Nov 2026`, or from one day to another: the year only once where both are in it. */
export function daysShown({ first, last }: Pick<ReportPeriod, 'first' | 'last'>): string {
  const end = `${shortDay(last)} ${last.slice(0, 4)}`;
  if (first === last) return end;
  const isSameYear = first.slice(0, 4) === last.slice(0, 4);
  return `${shortDay(first)}${isSameYear ? '' : ` ${first.slice(0, 4)}`} – ${end}`;
}

/** `15 Nov`, or `9 Nov – 15 Nov` */
export function daysInSubject({ first, last }: Pick<ReportPeriod, 'first' | 'last'>): string {
  return first === last ? dayOnAxis(last) : `${dayOnAxis(first)} – ${dayOnAxis(last)}`;
}

/** `2 Nov 2026, 08:00` on the clocks of the zone. */
export function momentShown(at: Date, timezone: string): string {
  const { day, time } = getLocal(at, timezone);
  return `${dayOnAxis(day)} ${day.slice(0, 4)}, ${time.slice(0, 5)}`;
}

// American months have three letters each, British ones have “Sept”.
function part(at: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(at);
}
