import { derive } from '../text/asset-pattern';
import { autoReplyLanguages, type DateWords } from './auto-reply-assets';
import { dateWords } from './date-languages';

/** A day as a text names it; what is left out is null. */
export interface NamedDay {
  readonly start: number;
  readonly end: number;
  readonly year: number | null;
  /** 1 to 12. For `12/1` in either order, both readings are tried. */
  readonly month: number | null;
  readonly day: number | null;
  /** `1/12` may be read the other way round. */
  readonly swappable: boolean;
  /** 1 is Monday, alone or with a day of the month. */
  readonly weekday: number | null;
  /** Days after the mail: tomorrow is 1. */
  readonly days: number | null;
  /** "3 - 7 March": begins before, ends on this day. */
  readonly endsRange: boolean;
  /** "Next week": away until its first day. */
  readonly isWeek: boolean;
}

const YEAR = String.raw`(?<year>20\d\d)`;
/** Folded Latin letters only: Japanese has no space before its numbers. */
const EDGE = String.raw`(?<![\da-z])`;
const ORDINAL = String.raw`(?:st|nd|rd|th|er|re|\.|º|°|ª|o|-?e|:e|de)?`;

/** Compiled once for each language. */
const datePatterns = derive(
  autoReplyLanguages,
  (): ReadonlyMap<string, readonly RegExp[]> =>
    new Map([...dateWords()].map(([language, words]) => [language, patternsOf(words)])),
);

function patternsOf(words: DateWords): RegExp[] {
  const months =
    words.months.length === 0 ? null : `(?<month>${words.months.map((month) => `(?:${month})`).join('|')})`;
  const weekdays = `(?<weekday>${words.weekdays.map((weekday) => `(?:${weekday})`).join('|')})`;
  const range = `(?:${words.range})`;
  const tail = String.raw`(?![\p{L}\d])`;
  const patterns = [
    String.raw`${EDGE}${YEAR}(?<separator>[-/.])(?<monthNumber>\d{1,2})\k<separator>(?<day>\d{1,2})(?!\d)`,
    String.raw`(?:${YEAR} ?[年년] ?)?(?<!\d)(?<monthNumber>\d{1,2}) ?[月월] ?(?<day>\d{1,2}) ?[日号號일]`,
    String.raw`${EDGE}(?<first>\d{1,2})(?<separator>[./-])(?<second>\d{1,2})(?:\k<separator>(?<year>20\d\d|\d\d)(?!\d)|(?:\.(?!\d)|(?=[ )\],;!-]|$)))`,
    // "Good morning" and "in the morning" in the languages where it is the same word.
    String.raw`(?<!\p{L}|gut(?:en)? |goede |la )(?<tomorrow>${words.tomorrow})(?!\p{L})`,
    String.raw`(?<!\p{L})(?<nextWeek>${words.nextWeek})(?!\p{L})`,
    words.months.length === 0 ? weekdays : `(?<!\\p{L})${weekdays}(?!\\p{L})`,
  ];
  if (months !== null) {
    patterns.push(
      String.raw`${EDGE}(?:(?<from>\d{1,2})${ORDINAL} ?${range} ?(?:the |le |el |den |dem |il |dia )?)?(?<day>\d{1,2})${ORDINAL},? ?(?:of |de |den |dni )?${months}${tail}\.?(?:,? ?(?:de |del |do |r\. )?${YEAR}(?!\d))?`,
      String.raw`(?<!\p{L})${months}\.? (?:the )?(?:(?<from>\d{1,2})${ORDINAL} ?${range} ?)?(?<day>\d{1,2})(?!\d|:|\.\d)(?:st|nd|rd|th)?(?:,? ${YEAR}(?!\d))?`,
    );
  }
  return patterns.map((pattern) => new RegExp(pattern, 'gu'));
}

/** Days that are looked at in one language: mails name two or three. */
const MOST = 100;

/** All days that a folded text names in that language, in their order, none inside another. */
export function namedDays(text: string, language: string): readonly NamedDay[] {
  const words = dateWords().get(language);
  const patterns = datePatterns().get(language);
  if (words === undefined || patterns === undefined) return [];
  const found: NamedDay[] = [];
  for (const pattern of patterns)
    for (const match of text.matchAll(pattern)) {
      const day = dayOf(match, words);
      if (day !== null) found.push(day);
      if (found.length > MOST * 4) break;
    }
  // The longer of two that overlap says more.
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  const apart: NamedDay[] = [];
  for (const day of found) {
    const last = apart.at(-1);
    if (last === undefined || day.start >= last.end) apart.push(day);
    else if (day.end > last.end && day.end - day.start > last.end - last.start) apart[apart.length - 1] = day;
  }
  return apart.slice(0, MOST);
}

function dayOf(match: RegExpMatchArray, words: DateWords): NamedDay | null {
  const { groups = {}, index = 0 } = match;
  const day: NamedDay = {
    start: index,
    end: index + match[0].length,
    year: yearOf(groups['year']),
    month: null,
    day: null,
    swappable: false,
    weekday: null,
    days: null,
    endsRange: groups['from'] !== undefined,
    isWeek: groups['nextWeek'] !== undefined,
  };
  if (groups['tomorrow'] !== undefined) return { ...day, days: 1 };
  if (day.isWeek) return { ...day, weekday: 1 };
  if (groups['weekday'] !== undefined) return { ...day, weekday: numberOf(words.weekdays, groups['weekday']) };
  if (groups['first'] !== undefined) return numeric(day, groups);
  const month = groups['month'] === undefined ? Number(groups['monthNumber']) : numberOf(words.months, groups['month']);
  return plausible({ ...day, month, day: Number(groups['day']) });
}

/** Day and month in either order; with a dot always the day first. `24/7` is no date. */
function numeric(day: NamedDay, { first, second, separator }: Record<string, string | undefined>): NamedDay | null {
  if (separator === '-' && day.year === null) return null;
  if (first === '24' && second === '7' && day.year === null) return null;
  const [one, two] = [Number(first), Number(second)];
  const swappable = separator !== '.' && one <= 12 && two <= 12;
  return plausible(two > 12 ? { ...day, month: one, day: two } : { ...day, month: two, day: one, swappable });
}

function plausible(day: NamedDay): NamedDay | null {
  const { month, day: date } = day;
  return month !== null && date !== null && month >= 1 && month <= 12 && date >= 1 && date <= 31 ? day : null;
}

function yearOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  return text.length === 2 ? 2000 + Number(text) : Number(text);
}

function numberOf(alternatives: readonly string[], word: string): number {
  return alternatives.findIndex((source) => new RegExp(`^(?:${source})$`, 'u').test(word)) + 1;
}
