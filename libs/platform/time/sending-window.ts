import { addDays, getLocal, getMoment, startOfDay, getWeekday } from './zone';

/** When emails may be sent. */
export interface SendingSchedule {
  /** IANA zone. */
  timezone: string;
  /** HH:MM */
  startTime: string;
  /**
   * HH:MM; 23:59 means the end of the day. A window that ends at or before its start ends on the next day: 22:00 to 06:00, or
   * 00:00 to 00:00.
   */
  endTime: string;
  /** ISO 8601 days of the week, 1 = Monday … 7 = Sunday, on which a window starts. */
  workingDays: readonly number[];
}

/** `opensAt` is null when no window follows, as without working days. */
export type SendingWindow = { open: true; closesAt: Date } | { open: false; opensAt: Date | null };

/** The delay between two steps. */
export interface StepDelay {
  /** A whole number. */
  value: number;
  unit: 'days' | 'hours';
  workingDaysOnly: boolean;
}

/** A window in milliseconds since 1970, `to` excluded. */
interface Span {
  from: number;
  to: number;
}

/** 24:00 cannot be entered as a time of day: 00:00 to 23:59 means the whole day. */
const END_OF_DAY = '23:59';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** The longest time without a window: one working day a week, whose window a clock change skips, plus a week. */
const DAYS_AHEAD = 22;
/** A window takes some 50 µs to compute and is needed often; both bounds together limit the cache to about 20 MB. */
const MAX_CALENDARS = 500;
const MAX_CACHED_DAYS = 400;

/** The windows of a schedule in a zone by day since 1970; null for a day without a window. */
interface Calendar {
  readonly days: Map<number, Span | null>;
  /** The open window of the last call. */
  open: Span | null;
}
const calendars = new Map<string, Calendar>();
/** The same by schedule and zone, because the key of `calendars` is expensive to build. */
const known = new WeakMap<SendingSchedule, Map<string, Calendar>>();

/**
 * Returns whether emails may be sent at a time, and when the window closes or opens.
 *
 * A window lasts from the first moment at which the clocks of the zone show its start or later to the first at which they show
 * its end or later. If a clock change skips its start, it opens at the change; if the change skips the whole window, there is
 * none; a repeated window opens once. A day that the zone skipped has no window. Windows never overlap; where one ends as the
 * next begins (00:00 to 23:59, 00:00 to 00:00), sending is open at `closesAt` again.
 */
export function windowAt(schedule: SendingSchedule, at: Date, zone = schedule.timezone): SendingWindow {
  const calendar = getCalendar(schedule, zone);
  const now = at.getTime();
  const { open } = calendar;
  if (open && open.from <= now && now < open.to) return { open: true, closesAt: new Date(open.to) };
  const today = Math.floor(now / DAY_MS);
  // The day in a zone differs from that of UTC by at most one, and a window begins on its day or the one before.
  for (let day = today - 2; day <= today + DAYS_AHEAD; day += 1) {
    const span = getSpan(calendar, schedule, zone, day);
    if (span === null || span.to <= now) continue;
    if (span.from <= now) {
      calendar.open = span;
      return { open: true, closesAt: new Date(span.to) };
    }
    return { open: false, opensAt: new Date(span.from) };
  }
  return { open: false, opensAt: null };
}

/** The end of a window on a day (YYYY-MM-DD) that ends at HH:MM; 23:59 means midnight. */
export function closingMoment(day: string, endTime: string, zone: string): Date {
  return endTime === END_OF_DAY ? getMoment(addDays(day, 1), '00:00', zone) : getMoment(day, endTime, zone);
}

/** The first moment from `at` on at which a window is open; null without a window. */
export function nextOpening(schedule: SendingSchedule, at: Date, zone = schedule.timezone): Date | null {
  const window = windowAt(schedule, at, zone);
  return window.open ? at : window.opensAt;
}

/**
 * Returns when the next step is due. Days are calendar days, at the same time of day in the schedule's zone (at the clock change
 * where the clocks skip that time); hours are elapsed hours. With `workingDaysOnly`, other days of the week are neither counted
 * as days, nor do hours elapse on them. In a schedule without working days every day counts.
 */
export function afterDelay(sentAt: Date, delay: StepDelay, schedule: SendingSchedule): Date {
  const zone = schedule.timezone;
  const counts = (day: string) => !delay.workingDaysOnly || isWorkingDay(schedule, day);
  if (delay.unit === 'days') return afterDays(sentAt, delay.value, zone, counts);
  return delay.workingDaysOnly
    ? afterHours(sentAt, delay.value, zone, counts)
    : new Date(sentAt.getTime() + delay.value * HOUR_MS);
}

function afterDays(sentAt: Date, days: number, zone: string, counts: (day: string) => boolean): Date {
  if (days <= 0) return sentAt;
  const { day: sentOn, time } = getLocal(sentAt, zone);
  let day = sentOn;
  for (let left = days; left > 0;) {
    day = addDays(day, 1);
    if (counts(day)) left -= 1;
  }
  const due = getMoment(day, time, zone).getTime() + sentAt.getUTCMilliseconds();
  // If a zone repeats a whole day, the next step would otherwise be due before this one.
  return new Date(Math.max(due, sentAt.getTime()));
}

function afterHours(sentAt: Date, hours: number, zone: string, counts: (day: string) => boolean): Date {
  let left = hours * HOUR_MS;
  let at = sentAt.getTime();
  for (let day = getLocal(sentAt, zone).day; ; day = addDays(day, 1)) {
    const midnight = startOfDay(addDays(day, 1), zone).getTime();
    if (counts(day)) {
      if (left <= midnight - at) return new Date(at + left);
      left -= midnight - at;
    }
    at = midnight;
  }
}

function isWorkingDay({ workingDays }: SendingSchedule, day: string): boolean {
  return !workingDays.some((weekday) => weekday >= 1 && weekday <= 7) || workingDays.includes(getWeekday(day));
}

function getSpan({ days }: Calendar, schedule: SendingSchedule, zone: string, number: number): Span | null {
  const found = days.get(number);
  if (found !== undefined) return found;
  if (days.size >= MAX_CACHED_DAYS) days.clear();
  const span = findSpan(schedule, zone, new Date(number * DAY_MS).toISOString().slice(0, 10));
  days.set(number, span);
  return span;
}

function findSpan(schedule: SendingSchedule, zone: string, day: string): Span | null {
  if (!schedule.workingDays.includes(getWeekday(day))) return null;
  if (getLocal(startOfDay(day, zone), zone).day !== day) return null;
  const { startTime, endTime } = schedule;
  const from = getMoment(day, startTime, zone).getTime();
  const to = closingMoment(endTime > startTime ? day : addDays(day, 1), endTime, zone).getTime();
  return from < to ? { from, to } : null;
}

function getCalendar(schedule: SendingSchedule, zone: string): Calendar {
  let zones = known.get(schedule);
  if (!zones) known.set(schedule, (zones = new Map()));
  const found = zones.get(zone);
  if (found) return found;
  const calendar = getSharedCalendar(schedule, zone);
  zones.set(zone, calendar);
  return calendar;
}

function getSharedCalendar({ startTime, endTime, workingDays }: SendingSchedule, zone: string): Calendar {
  const key = `${zone} ${startTime} ${endTime} ${workingDays.join()}`;
  const found = calendars.get(key);
  if (found) return found;
  // Evicts the oldest: this is cheap, and a calendar in use is soon created again.
  if (calendars.size >= MAX_CALENDARS) calendars.delete(calendars.keys().next().value ?? '');
  const calendar: Calendar = { days: new Map(), open: null };
  calendars.set(key, calendar);
  return calendar;
}
