import { Temporal } from 'temporal-polyfill';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const WHOLE_MINUTES_SINCE = Date.UTC(1973, 0) / MINUTE_MS;

/** Making one costs as much as thousands of uses; there are some 450 zones, with their other names 600. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** By zone the day that was asked for last: it is asked for again and again at about the same time, and no day begins within a minute. */
const lastDays = new Map<string, { minute: number; day: string }>();

/** What calendar and clock of a zone show. */
export interface LocalTime {
  /** YYYY-MM-DD */
  day: string;
  /** HH:MM:SS */
  time: string;
  /** ISO 8601: 1 = Monday … 7 = Sunday. */
  weekday: number;
}

/** What calendar and clock show at a moment in an IANA zone. */
export function getLocal(at: Date, zone: string): LocalTime {
  // "2026-11-25, 09:30:00": `formatToParts` takes three times as long, and the engine asks all the time.
  const [year = '', month, date, hour, minute, second] = getFormat(zone).format(at).match(/\d+/g) ?? [];
  const day = `${year.padStart(4, '0')}-${month}-${date}`;
  return { day, time: `${hour}:${minute}:${second}`, weekday: getWeekday(day) };
}

/** The day, YYYY-MM-DD, that it is at a moment in an IANA zone. */
export function getDay(at: Date, zone: string): string {
  const minute = Math.floor(at.getTime() / MINUTE_MS);
  const last = lastDays.get(zone);
  if (last?.minute === minute) return last.day;
  const { day } = getLocal(at, zone);
  // Before 1973 there were zones whose minutes did not begin with those of UTC.
  if (minute >= WHOLE_MINUTES_SINCE) lastDays.set(zone, { minute, day });
  return day;
}

/** The day of the week by ISO 8601: 1 = Monday … 7 = Sunday. */
export function getWeekday(day: string): number {
  return new Date(toUtc(day)).getUTCDay() || 7;
}

/** Whether the zone data of this process know the name. */
export function isZone(name: string): boolean {
  // `Intl` also takes offsets such as +01:00, which follow no rule of any place.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    getFormat(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The first moment of a day in a zone. Where midnight is skipped by a change of the clocks, the moment of the change;
 * where it comes twice, the first. A day that a zone left out (Samoa, 2011-12-30) begins when the next one does.
 */
export function startOfDay(day: string, zone: string): Date {
  return getMoment(day, '00:00', zone);
}

/**
 * The first moment at which the clocks of a zone show this day and time (HH:MM, seconds allowed) or a later one: of a
 * time that comes twice the first, of a time that is skipped the moment of the change. So a later time never comes
 * before an earlier one.
 */
export function getMoment(day: string, time: string, zone: string): Date {
  const wanted = Temporal.PlainDateTime.from(`${day}T${time}`);
  const found = wanted.toZonedDateTime(zone, { disambiguation: 'earlier' });
  // A skipped time is given as one before the change, by as much as the clocks jump.
  const skipped = !found.toPlainDateTime().equals(wanted);
  return new Date((skipped ? (found.getTimeZoneTransition('next') ?? found) : found).epochMilliseconds);
}

/** Another day, so many days later or earlier by the calendar. */
export function addDays(day: string, days: number): string {
  return new Date(toUtc(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** All days from one to another, both included; none when `to` is earlier. */
export function daysBetween(from: string, to: string): string[] {
  const count = Math.max(0, Math.round((toUtc(to) - toUtc(from)) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) => addDays(from, index));
}

/** Whether the text is a day of the calendar as YYYY-MM-DD, of the years 1970 to 2999: days reckoned from it still have four digits. */
export function isDay(text: string): boolean {
  if (!/^(19[7-9]\d|2\d{3})-\d\d-\d\d$/.test(text)) return false;
  const at = toUtc(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function toUtc(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function getFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(zone, format);
  return format;
}
