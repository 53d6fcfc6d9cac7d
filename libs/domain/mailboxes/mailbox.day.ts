const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Making one costs as much as thousands of uses; there are some 450 zones, with their other names 600. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day, YYYY-MM-DD, that it is at a moment in an IANA zone. */
export function dayOf(at: Date, zone: string): string {
  return local(at.getTime(), zone).slice(0, 10);
}

/**
 * The first moment of a day in a zone. Where midnight is skipped by a change of the clocks, the moment of the change;
 * where it comes twice, the first. A day that a zone left out (Samoa, 2011-12-30) begins when the next one does.
 */
export function startOfDay(day: string, zone: string): Date {
  const midnight = utcOf(day);
  const wanted = `${day}T00:00:00`;
  // No clock is more than 14 hours from UTC now, and none was more than 16.
  const [from, to] = [midnight - 16 * HOUR_MS, midnight + 16 * HOUR_MS];
  const offsets = new Set([offsetAt(from, zone), offsetAt(midnight, zone), offsetAt(to, zone)]);
  const midnights = [...offsets].map((offset) => midnight - offset).filter((at) => local(at, zone) === wanted);
  if (midnights.length > 0) return new Date(Math.min(...midnights));
  return new Date(firstAtOrAfter(wanted, zone, from, midnight + DAY_MS + 16 * HOUR_MS));
}

/** Another day, so many days later or earlier by the calendar. */
export function addDays(day: string, days: number): string {
  return new Date(utcOf(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** All days from one to another, both included; none when `to` is earlier. */
export function daysBetween(from: string, to: string): string[] {
  const count = Math.max(0, Math.round((utcOf(to) - utcOf(from)) / DAY_MS) + 1);
  return Array.from({ length: count }, (_, index) => addDays(from, index));
}

/** Whether the text is a day of the calendar as YYYY-MM-DD, from the year 1970 on. */
export function isDay(text: string): boolean {
  if (!/^(19[7-9]\d|[2-9]\d{3})-\d\d-\d\d$/.test(text)) return false;
  const at = utcOf(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

function utcOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

/** Milliseconds by which the clocks of the zone are ahead of UTC. */
function offsetAt(at: number, zone: string): number {
  return Date.parse(`${local(at, zone)}Z`) - Math.floor(at / 1000) * 1000;
}

/** What the clocks of the zone show, YYYY-MM-DDTHH:MM:SS. */
function local(at: number, zone: string): string {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const { year = '', month, day, hour, minute, second } = parts;
  return `${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`;
}

/** Clocks that jump over a time pass it once: the moment is found by halving. */
function firstAtOrAfter(wanted: string, zone: string, from: number, to: number): number {
  let [before, after] = [from, to];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (local(middle, zone) >= wanted) after = middle;
    else before = middle;
  }
  return after;
}

function formatOf(zone: string): Intl.DateTimeFormat {
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
