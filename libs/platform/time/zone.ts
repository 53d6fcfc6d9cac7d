import { Temporal } from 'temporal-polyfill';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const WHOLE_MINUTES_SINCE = Date.UTC(1973, 0) / MINUTE_MS;

/** Creating a format costs as much as thousands of uses; there are some 600 zone names. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The last day by zone: most calls ask for about the same time, and no day begins within a minute. */
const lastDays = new Map<string, { minute: number; day: string }>();

/** Local date and time of a zone. */
export interface LocalTime {
  /** YYYY-MM-DD */
  day: string;
  /** HH:MM:SS */
  time: string;
  /** ISO 8601: 1 = Monday … 7 = Sunday. */
  weekday: number;
}

/** Returns the local date and time in an IANA zone. */
export function getLocal(at: Date, zone: string): LocalTime {
  // "2026-11-25, 09:30:00": `formatToParts` takes three times as long, and the planner calls this constantly.
  const [year = '', month, date, hour, minute, second] = getFormat(zone).format(at).match(/\d+/g) ?? [];
  const day = `${year.padStart(4, '0')}-${month}-${date}`;
  return { day, time: `${hour}:${minute}:${second}`, weekday: getWeekday(day) };
}

/** Returns the local day, YYYY-MM-DD, in an IANA zone. */
export function getDay(at: Date, zone: string): string {
  const minute = Math.floor(at.getTime() / MINUTE_MS);
  const last = lastDays.get(zone);
  if (last?.minute === minute) return last.day;
  const { day } = getLocal(at, zone);
  // Before 1973 the minutes of some zones did not start with those of UTC.
  if (minute >= WHOLE_MINUTES_SINCE) lastDays.set(zone, { minute, day });
  return day;
}

/** The day of the week by ISO 8601: 1 = Monday … 7 = Sunday. */
export function getWeekday(day: string): number {
  return new Date(toUtc(day)).getUTCDay() || 7;
}

/** Whether the zone data of this process include the name. */
export function isZone(name: string): boolean {
  // `Intl` also accepts offsets such as +01:00, which have no rules of a zone.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    getFormat(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns the first moment of a day in a zone. If a clock change skips midnight, it is the moment of the change; if midnight
 * occurs twice, the first one. A day that the zone skipped (Samoa, 2011-12-30) begins with the next one.
 */
export function startOfDay(day: string, zone: string): Date {
  return getMoment(day, '00:00', zone);
}

/**
 * Returns the first moment at which the clocks of a zone show this day and time (HH:MM, seconds allowed) or a later one: the
 * first of a time that occurs twice, the moment of the change for a skipped time. So the order of local times is preserved.
 */
export function getMoment(day: string, time: string, zone: string): Date {
  const local = Temporal.PlainDateTime.from(`${day}T${time}`);
  const found = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  // Temporal returns a skipped time as one before the change, by the length of the change.
  const skipped = !found.toPlainDateTime().equals(local);
  return new Date((skipped ? (found.getTimeZoneTransition('next') ?? found) : found).epochMilliseconds);
}

/** Returns the day that is `days` calendar days later, or earlier if negative. */
export function addDays(day: string, days: number): string {
  return new Date(toUtc(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** All days from one to another, both included; none when `to` is earlier. */
export function daysBetween(from: string, to: string): string[] {
  const count = Math.max(0, Math.round((toUtc(to) - toUtc(from)) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) => addDays(from, index));
}

/** Whether the text is a calendar day as YYYY-MM-DD from 1970 to 2999, so that later days still have a year of four digits. */
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
