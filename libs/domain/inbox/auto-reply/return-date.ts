import { foldLine } from '../text/fold';
import { getLanguages } from '../text/language';
import { type DateTerms } from './auto-reply-assets';
import { addedLanguages, dateTerms } from './date-languages';
import { type NamedDay, listNamedDays } from './date-finding';

export interface Sent {
  /** The Date of the mail. */
  readonly at: Date;
  /** The author's offset in minutes east of UTC, if known: dates are relative to their day. */
  readonly offset?: number;
}

const DAY_MS = 86_400_000;
/** Most days after the mail. */
const MAX_DAYS_AHEAD = 366;
/** A day without a year that passed less than this ago is stale, not a day of next year. */
const STALE_DAYS = 45;
/** Characters of a mail that are searched, and those around a day that decide its meaning. */
const MAX_SEARCHED = 6_000;
const BEFORE = 70;
const AFTER = 45;

type Meaning = 'back' | 'until' | 'inclusive' | 'since';

/**
 * Finds the first day back in an out-of-office mail, YYYY-MM-DD, or null. "Back on the 5th" is the 5th. The end of a range,
 * "through the 5th" and "bis zum 5." are days away and give the 6th; in English and Dutch "until the 5th" gives the 5th. A named
 * return outweighs the end of the absence. The day is at most 366 days after the mail; without a year it is the next such day,
 * unless it has passed only weeks ago.
 */
export function findReturnDate(text: string, sent: Sent): string | null {
  const folded = foldLine(text.slice(0, MAX_SEARCHED));
  const today = Math.floor((sent.at.getTime() + (sent.offset ?? 0) * 60_000) / DAY_MS);
  if (Number.isNaN(today)) return null;
  const languages = new Set<string>([...getLanguages(folded), 'en', ...addedLanguages()]);
  for (const meanings of [['back'], ['inclusive', 'until']] as const)
    for (const language of languages) {
      const day = findDay(folded, language, meanings, today, isMonthFirst(language, sent.offset));
      if (day !== null) return toIsoDate(day);
    }
  return null;
}

/** The Americas without Brazil and Argentina write the month first. */
function isMonthFirst(language: string, offset: number | undefined): boolean {
  return language === 'en' && (offset === undefined || offset <= -240);
}

function findDay(
  text: string,
  language: string,
  meanings: readonly Meaning[],
  today: number,
  monthFirst: boolean,
): number | null {
  const terms = dateTerms().get(language);
  if (terms === undefined) return null;
  const days = listNamedDays(text, language);
  for (const [index, day] of days.entries()) {
    // The weekday of a date that follows.
    const next = days[index + 1];
    if (day.weekday !== null && next?.month && isFiller(text.slice(day.end, next.start))) continue;
    const from = index === 0 ? 0 : getContextStart(text, days, index);
    const meaning = getMeaning(text, day, from, next?.start ?? Number.POSITIVE_INFINITY, terms);
    if (meaning === null || !meanings.includes(meaning)) continue;
    const number = toDayNumber(day, today, monthFirst);
    if (number !== null) return number + (meaning === 'inclusive' && !day.isWeek ? 1 : 0);
  }
  return null;
}

/** Returns where the context of a day begins: after the previous day, or before its own weekday. */
function getContextStart(text: string, days: readonly NamedDay[], index: number): number {
  const before = days[index - 1];
  if (before === undefined) return 0;
  const isOwn = before.weekday !== null && isFiller(text.slice(before.end, days[index]?.start ?? 0));
  return isOwn ? (days[index - 2]?.end ?? 0) : before.end;
}

function isFiller(between: string): boolean {
  return /^[\s,.(]{0,3}(?:the|den|dem|der|le|el|il|dia|de|d\.|,)?[\s,]{0,2}$/u.test(between);
}

function getMeaning(text: string, day: NamedDay, from: number, to: number, terms: DateTerms): Meaning | null {
  if (day.endsRange || (from > 0 && isRangeEnd(text.slice(from, day.start), terms))) return 'inclusive';
  const before = getSentenceBefore(text.slice(Math.max(from, day.start - BEFORE), day.start));
  const after = getSentenceAfter(text.slice(day.end, Math.min(to, day.end + AFTER)));
  // Japanese and Finnish put "until" after the day, other languages "inclusive".
  if (findFirst(after, terms.inclusive, terms) <= 3) return 'inclusive';
  // The text after this day may belong to the next one.
  const isBackAfter = to > day.end + AFTER && findFirst(after, terms.back, terms) < AFTER;
  const marks: Array<readonly [Meaning, number]> = [
    ['inclusive', findLast(before, terms.inclusive, terms)],
    ['until', findLast(before, terms.until, terms)],
    ['back', findLastBack(before, terms)],
    ['since', findLast(before, terms.since, terms)],
  ];
  const [meaning, at] = marks.reduce((best, mark) => (mark[1] > best[1] ? mark : best));
  if (at < 0) return isBackAfter ? 'back' : null;
  // "Back in the office from Monday": the nearest term does not decide.
  if (meaning === 'since') return isBackAfter || findLastBack(before, terms) >= 0 ? 'back' : null;
  return meaning === 'until' && terms.untilIsBack !== true ? 'inclusive' : meaning;
}

/** Whether only a term such as "to" separates a day from the previous one. */
function isRangeEnd(between: string, terms: DateTerms): boolean {
  const filler = '(?:and including|und mit|en met|einschliesslich|zum|the|le|el|den|dem|il|dia|d\\.|,)';
  const weekday = `(?:${terms.weekdays.join('|')})[,.]?`;
  return new RegExp(`^[\\s,.(]{0,3}(?:${terms.range})(?:\\s?(?:${filler}|${weekday})){0,3}\\s?$`, 'u').test(between);
}

/** Returns the index of the first match; infinite without one. */
function findFirst(text: string, sources: string, terms: DateTerms): number {
  return new RegExp(toBoundedSource(sources, terms), 'u').exec(text)?.index ?? Number.POSITIVE_INFINITY;
}

/** Returns the index of the last match, or -1. */
function findLast(text: string, sources: string, terms: DateTerms): number {
  let at = -1;
  for (const match of text.matchAll(new RegExp(toBoundedSource(sources, terms), 'gu'))) at = match.index;
  return at;
}

/** As `findLast` for terms of return, except after a negation: "not available from" begins an absence. */
function findLastBack(text: string, terms: DateTerms): number {
  const at = findLast(text, terms.back, terms);
  return /(?<!\p{L})(?:not|nicht|pas|no|nao|non|niet)(?: \p{L}{1,8})? $/u.test(text.slice(0, Math.max(at, 0)))
    ? -1
    : at;
}

/** Requires word boundaries, except in Japanese and Chinese, whose months are numbers. */
function toBoundedSource(sources: string, { months }: DateTerms): string {
  return months.length === 0 ? `(?:${sources})` : `(?<!\\p{L})(?:${sources})(?!\\p{L})`;
}

/** Returns the text after the last sentence end; the dot of `5.` or `Fr.` is none. */
function getSentenceBefore(text: string): string {
  return text.replace(/^.*(?:[!?;。！？]|\p{L}{4}\.(?=\s))/su, '');
}

function getSentenceAfter(text: string): string {
  return text.replace(/(?:[!?;。！？]|(?<=\p{L}{3})\.\s).*$/su, '');
}

/** Returns the days since 1970 of a named day; null when it is out of range. */
function toDayNumber(named: NamedDay, today: number, monthFirst: boolean): number | null {
  if (named.days !== null) return today + named.days;
  const { month, day } = named;
  if (month === null || day === null) return named.weekday === null ? null : getNextWeekday(named.weekday, today);
  const readings = named.swappable
    ? [
        [monthFirst ? day : month, monthFirst ? month : day] as const,
        [monthFirst ? month : day, monthFirst ? day : month] as const,
      ]
    : [[month, day] as const];
  for (const [month, day] of readings) {
    const number = resolveYear(named.year, month, day, today);
    if (number !== null) return number;
  }
  return null;
}

function resolveYear(year: number | null, month: number, day: number, today: number): number | null {
  const thisYear = new Date(today * DAY_MS).getUTCFullYear();
  if (year !== null) return limitToRange(countDays(year, month, day), today);
  const current = countDays(thisYear, month, day);
  if (current !== null && current < today && today - current <= STALE_DAYS) return null;
  return limitToRange(current, today) ?? limitToRange(countDays(thisYear + 1, month, day), today);
}

function limitToRange(number: number | null, today: number): number | null {
  return number !== null && number >= today && number < today + MAX_DAYS_AHEAD ? number : null;
}

function countDays(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / DAY_MS : null;
}

/** Returns the next such weekday after today; 1970-01-01 was a Thursday. */
function getNextWeekday(weekday: number, today: number): number {
  const current = ((today + 3) % 7) + 1;
  return today + (((weekday - current + 6) % 7) + 1);
}

function toIsoDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
