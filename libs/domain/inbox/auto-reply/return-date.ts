import { foldedLine } from '../text/fold';
import { getLanguages } from '../text/language';
import { type DateWords } from './auto-reply-assets';
import { addedLanguages, dateWords } from './date-languages';
import { type NamedDay, namedDays } from './date-finding';

export interface Sent {
  /** The Date of the mail. */
  readonly at: Date;
  /** Minutes east of UTC in which the sender wrote it, when the Date says so: it is their Monday that counts. */
  readonly offset?: number;
}

const DAY_MS = 86_400_000;
/** Days after the mail: nobody announces more. */
const FARTHEST = 366;
/** A day without a year that has passed by less is no day of next year: the absence was left on. */
const STALE_DAYS = 45;
/** Characters of a mail in which its days are looked for, and around a day in which its meaning is. */
const SEEN = 6_000;
const BEFORE = 70;
const BEHIND = 45;

type Meaning = 'back' | 'until' | 'inclusive' | 'since';

/**
 * The first day back of an out-of-office mail as YYYY-MM-DD, null when it does not say. "Back on the 5th" is the 5th. The last
 * day of a range, "through the 5th" and "bis zum 5." are days away, so it is the 6th; in English and Dutch "until the 5th"
 * alone means back on the 5th. A day named as the return wins over the end of the absence. Never a day before the mail's, nor
 * more than 366 days after it; without a year the next such day, unless it passed only weeks ago.
 */
export function returnDate(text: string, sent: Sent): string | null {
  const folded = foldedLine(text.slice(0, SEEN));
  const today = Math.floor((sent.at.getTime() + (sent.offset ?? 0) * 60_000) / DAY_MS);
  if (Number.isNaN(today)) return null;
  const languages = new Set<string>([...getLanguages(folded), 'en', ...addedLanguages()]);
  for (const wanted of [['back'], ['inclusive', 'until']] as const)
    for (const language of languages) {
      const day = dayIn(folded, language, wanted, today, isMonthFirst(language, sent.offset));
      if (day !== null) return isoOf(day);
    }
  return null;
}

/** The Americas without Brazil and Argentina write the month first. */
function isMonthFirst(language: string, offset: number | undefined): boolean {
  return language === 'en' && (offset === undefined || offset <= -240);
}

function dayIn(
  text: string,
  language: string,
  wanted: readonly Meaning[],
  today: number,
  monthFirst: boolean,
): number | null {
  const words = dateWords().get(language);
  if (words === undefined) return null;
  const days = namedDays(text, language);
  for (const [index, day] of days.entries()) {
    // The weekday of a date that follows.
    const next = days[index + 1];
    if (day.weekday !== null && next?.month && isFiller(text.slice(day.end, next.start))) continue;
    const from = index === 0 ? 0 : spokenFrom(text, days, index);
    const meaning = meaningOf(text, day, from, next?.start ?? Number.POSITIVE_INFINITY, words);
    if (meaning === null || !wanted.includes(meaning)) continue;
    const number = dayNumber(day, today, monthFirst);
    if (number !== null) return number + (meaning === 'inclusive' && !day.isWeek ? 1 : 0);
  }
  return null;
}

/** Where the words that may speak of a day begin: after the day before it, or before its own weekday. */
function spokenFrom(text: string, days: readonly NamedDay[], index: number): number {
  const before = days[index - 1];
  if (before === undefined) return 0;
  const isOwn = before.weekday !== null && isFiller(text.slice(before.end, days[index]?.start ?? 0));
  return isOwn ? (days[index - 2]?.end ?? 0) : before.end;
}

function isFiller(between: string): boolean {
  return /^[\s,.(]{0,3}(?:the|den|dem|der|le|el|il|dia|de|d\.|,)?[\s,]{0,2}$/u.test(between);
}

function meaningOf(text: string, day: NamedDay, from: number, to: number, words: DateWords): Meaning | null {
  if (day.endsRange || (from > 0 && isRangeEnd(text.slice(from, day.start), words))) return 'inclusive';
  const before = sentenceBefore(text.slice(Math.max(from, day.start - BEFORE), day.start));
  const behind = sentenceBehind(text.slice(day.end, Math.min(to, day.end + BEHIND)));
  // Japanese and Finnish put the words for "until" behind the day, others "inclusive".
  if (firstOf(behind, words.inclusive, words) <= 3) return 'inclusive';
  // The day that follows has the next words for itself.
  const isBackBehind = to > day.end + BEHIND && firstOf(behind, words.back, words) < BEHIND;
  const marks: Array<readonly [Meaning, number]> = [
    ['inclusive', lastOf(before, words.inclusive, words)],
    ['until', lastOf(before, words.until, words)],
    ['back', lastBack(before, words)],
    ['since', lastOf(before, words.since, words)],
  ];
  const [meaning, at] = marks.reduce((best, mark) => (mark[1] > best[1] ? mark : best));
  if (at < 0) return isBackBehind ? 'back' : null;
  // "Back in the office from Monday": the nearest word is not the one that counts.
  if (meaning === 'since') return isBackBehind || lastBack(before, words) >= 0 ? 'back' : null;
  return meaning === 'until' && words.untilIsBack !== true ? 'inclusive' : meaning;
}

/** Whether only a word like "to" stands between a day and the one before it. */
function isRangeEnd(between: string, words: DateWords): boolean {
  const filler = '(?:and including|und mit|en met|einschliesslich|zum|the|le|el|den|dem|il|dia|d\\.|,)';
  const weekday = `(?:${words.weekdays.join('|')})[,.]?`;
  return new RegExp(`^[\\s,.(]{0,3}(?:${words.range})(?:\\s?(?:${filler}|${weekday})){0,3}\\s?$`, 'u').test(between);
}

/** Where one of the words first stands, beyond all when nowhere. */
function firstOf(text: string, sources: string, words: DateWords): number {
  return new RegExp(whole(sources, words), 'u').exec(text)?.index ?? Number.POSITIVE_INFINITY;
}

/** Where one of the words last stands, -1 when nowhere. */
function lastOf(text: string, sources: string, words: DateWords): number {
  let at = -1;
  for (const match of text.matchAll(new RegExp(whole(sources, words), 'gu'))) at = match.index;
  return at;
}

/** As `lastOf` for words of return: "not available from" begins an absence. */
function lastBack(text: string, words: DateWords): number {
  const at = lastOf(text, words.back, words);
  return /(?<!\p{L})(?:not|nicht|pas|no|nao|non|niet)(?: \p{L}{1,8})? $/u.test(text.slice(0, Math.max(at, 0)))
    ? -1
    : at;
}

/** Japanese and Chinese, which name months by numbers, do not part words. */
function whole(sources: string, { months }: DateWords): string {
  return months.length === 0 ? `(?:${sources})` : `(?<!\\p{L})(?:${sources})(?!\\p{L})`;
}

/** The end of a text from its last full stop on; the dot of `5.` or `Fr.` is none. */
function sentenceBefore(text: string): string {
  return text.replace(/^.*(?:[!?;。！？]|\p{L}{4}\.(?=\s))/su, '');
}

function sentenceBehind(text: string): string {
  return text.replace(/(?:[!?;。！？]|(?<=\p{L}{3})\.\s).*$/su, '');
}

/** Days since 1970 of a named day, null when it cannot be meant. */
function dayNumber(named: NamedDay, today: number, monthFirst: boolean): number | null {
  if (named.days !== null) return today + named.days;
  const { month, day } = named;
  if (month === null || day === null) return named.weekday === null ? null : nextWeekday(named.weekday, today);
  const readings = named.swappable
    ? [
        [monthFirst ? day : month, monthFirst ? month : day] as const,
        [monthFirst ? month : day, monthFirst ? day : month] as const,
      ]
    : [[month, day] as const];
  for (const [month, day] of readings) {
    const number = inYears(named.year, month, day, today);
    if (number !== null) return number;
  }
  return null;
}

function inYears(year: number | null, month: number, day: number, today: number): number | null {
  const thisYear = new Date(today * DAY_MS).getUTCFullYear();
  if (year !== null) return within(numberOfDay(year, month, day), today);
  const current = numberOfDay(thisYear, month, day);
  if (current !== null && current < today && today - current <= STALE_DAYS) return null;
  return within(current, today) ?? within(numberOfDay(thisYear + 1, month, day), today);
}

function within(number: number | null, today: number): number | null {
  return number !== null && number >= today && number < today + FARTHEST ? number : null;
}

function numberOfDay(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / DAY_MS : null;
}

/** The first such day after today: 1970-01-01 was a Thursday. */
function nextWeekday(weekday: number, today: number): number {
  const current = ((today + 3) % 7) + 1;
  return today + (((weekday - current + 6) % 7) + 1);
}

function isoOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
