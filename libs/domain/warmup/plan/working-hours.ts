import { closingMoment, getMoment, type SendingSchedule, getWeekday, windowAt } from '@platform/time';
import { type WarmupConfig } from '../schemas/warmup.record';
import { type Draw } from './seeded-random';

/** Hours in which a mailbox writes and answers. */
export interface WorkingHours {
  /** IANA zone. */
  timezone: string;
  /** HH:MM */
  windowStart: string;
  /** HH:MM, later. */
  windowEnd: string;
  weekdaysOnly: boolean;
}

/** Milliseconds since 1970, `to` excluded. */
export interface Span {
  from: number;
  to: number;
}

/** Activity of people over their day, in eighths. */
const ACTIVITY_BY_EIGHTH = [0.8, 1.3, 1.3, 1, 0.6, 1.1, 1.2, 0.7];
const TOTAL_ACTIVITY = ACTIVITY_BY_EIGHTH.reduce((sum, weight) => sum + weight, 0);

const FRIDAY = 5;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
/** Mail outside of the hours is spread over so many milliseconds after their start. */
const MORNING_MS = 180 * 60_000;

/** Returns the hours of a warmup; the mailbox's zone is the default. */
export function getHours(
  config: Omit<WorkingHours, 'timezone'> & Pick<WarmupConfig, 'timezone'>,
  zone: string,
): WorkingHours {
  const { windowStart, windowEnd, weekdaysOnly } = config;
  return { timezone: config.timezone ?? zone, windowStart, windowEnd, weekdaysOnly };
}

/** Returns the hours of a day, YYYY-MM-DD; null on a day off, or when a clock change skips them. */
export function getHoursOn(day: string, { timezone, windowStart, windowEnd, weekdaysOnly }: WorkingHours): Span | null {
  if (weekdaysOnly && getWeekday(day) > FRIDAY) return null;
  const from = getMoment(day, windowStart, timezone).getTime();
  const to = closingMoment(day, windowEnd, timezone).getTime();
  return from < to ? { from, to } : null;
}

/**
 * Draws moments of writing, in order: more often in busy hours, never closer than the gap. At most `count`, as many as fit.
 * @param gapMs whole milliseconds
 */
export function drawMoments({ from, to }: Span, count: number, gapMs: number, draw: Draw): Date[] {
  const length = to - from;
  if (length <= 0 || count <= 0) return [];
  const fitting = gapMs > 0 ? Math.min(count, Math.floor((length - 1) / gapMs) + 1) : count;
  const free = length - (fitting - 1) * gapMs;
  const places = Array.from({ length: fitting }, () => Math.floor(free * drawBusyPlace(draw()))).toSorted(
    (a, b) => a - b,
  );
  return places.map((place, index) => new Date(from + place + index * gapMs));
}

/** Returns the moment itself within the hours, else one soon after their next start; null without any hours. */
export function getWorkingMoment(at: Date, hours: WorkingHours, draw: Draw): Date | null {
  const schedule = toSchedule(hours);
  const window = windowAt(schedule, at);
  if (window.open) return at;
  if (window.opensAt === null) return null;
  const opened = windowAt(schedule, window.opensAt);
  const lasts = opened.open ? opened.closesAt.getTime() - window.opensAt.getTime() : 1;
  return new Date(window.opensAt.getTime() + Math.floor(draw() * Math.min(MORNING_MS, lasts)));
}

/** Cached, so that equal hours share one calendar. */
const schedules = new WeakMap<WorkingHours, SendingSchedule>();

function toSchedule(hours: WorkingHours): SendingSchedule {
  const known = schedules.get(hours);
  if (known) return known;
  const { timezone, windowStart, windowEnd, weekdaysOnly } = hours;
  const workingDays = weekdaysOnly ? EVERY_DAY.slice(0, FRIDAY) : EVERY_DAY;
  const schedule = { timezone, startTime: windowStart, endTime: windowEnd, workingDays };
  schedules.set(hours, schedule);
  return schedule;
}

/** Maps an evenly drawn number to a place in the day, both from 0 to less than 1: the inverse of the cumulated activity. */
function drawBusyPlace(drawn: number): number {
  let left = drawn * TOTAL_ACTIVITY;
  for (const [index, weight] of ACTIVITY_BY_EIGHTH.entries()) {
    if (left < weight) return (index + left / weight) / ACTIVITY_BY_EIGHTH.length;
    left -= weight;
  }
  return 1 - Number.EPSILON;
}
