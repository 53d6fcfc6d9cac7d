import { getLocal } from '@platform/time';
import { type ReportPeriod } from '../report-shape';
import { getRatio } from '../figures/figure-sums';

const whole = new Intl.NumberFormat('en-US');
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

/** Smallest number shown in thousands or millions where space is limited. */
const COMPACT_FROM = 100_000;

/** The change of a figure; `better` and `worse` depend on the figure. */
export interface Change {
  readonly text: string;
  /** `+4`; '' without a change. */
  readonly by: string;
  readonly tone: 'better' | 'worse' | 'same';
}

export function formatAmount(value: number): string {
  return whole.format(value);
}

export function formatShortAmount(value: number): string {
  return value >= COMPACT_FROM ? compact.format(value) : whole.format(value);
}

/** `3.5%`; a dash when the divisor is 0. */
export function formatRate(part: number, of: number): string {
  return of === 0 ? '–' : percent.format(getRatio(part, of));
}

/** @param isGoodWhen the desired direction of the figure; null for none */
export function getChange(now: number, before: number, isGoodWhen: 'up' | 'down' | null): Change {
  const by = now - before;
  if (by === 0) return { text: 'no change', by: '', tone: 'same' };
  const sign = by > 0 ? '+' : '−';
  const size = `${sign}${formatAmount(Math.abs(by))}`;
  const relative = before === 0 ? '' : ` (${sign}${percent.format(Math.abs(by) / before)})`;
  const isGood = by > 0 === (isGoodWhen === 'up');
  return { text: size + relative, by: size, tone: isGoodWhen === null ? 'same' : isGood ? 'better' : 'worse' };
}

/** `Mon, 2 Nov` */
export function formatShortDay(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  return `${formatPart(at, { weekday: 'short' })}, ${formatPart(at, { day: 'numeric' })} ${formatPart(at, { month: 'short' })}`;
}

/** `2 Nov` */
export function formatAxisDay(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  return `${formatPart(at, { day: 'numeric' })} ${formatPart(at, { month: 'short' })}`;
}

/** `Mon, 2 Nov 2026`, or a range with the year once when both days share it. */
export function formatDays({ first, last }: Pick<ReportPeriod, 'first' | 'last'>): string {
  const end = `${formatShortDay(last)} ${last.slice(0, 4)}`;
  if (first === last) return end;
  const isSameYear = first.slice(0, 4) === last.slice(0, 4);
  return `${formatShortDay(first)}${isSameYear ? '' : ` ${first.slice(0, 4)}`} – ${end}`;
}

/** `15 Nov`, or `9 Nov – 15 Nov` */
export function formatSubjectDays({ first, last }: Pick<ReportPeriod, 'first' | 'last'>): string {
  return first === last ? formatAxisDay(last) : `${formatAxisDay(first)} – ${formatAxisDay(last)}`;
}

/** `2 Nov 2026, 08:00` in local time of the zone. */
export function formatMoment(at: Date, timezone: string): string {
  const { day, time } = getLocal(at, timezone);
  return `${formatAxisDay(day)} ${day.slice(0, 4)}, ${time.slice(0, 5)}`;
}

// American month names have three letters each; British English has “Sept”.
function formatPart(at: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(at);
}
