import { createDerived } from '../text/asset-pattern';
import { autoReplyLanguages, type DateTerms } from './auto-reply-assets';
import { dateTerms } from './date-languages';

/** A day as named in a text; missing parts are null. */
export interface NamedDay {
  readonly start: number;
  readonly end: number;
  readonly year: number | null;
  /** 1 to 12. */
  readonly month: number | null;
  readonly day: number | null;
  /** Day and month of `1/12` may be swapped. */
  readonly swappable: boolean;
  /** 1 is Monday. */
  readonly weekday: number | null;
  /** Days after the mail; tomorrow is 1. */
  readonly days: number | null;
  /** The end of a range such as "3 - 7 March". */
  readonly endsRange: boolean;
  /** "Next week": its first day. */
  readonly isWeek: boolean;
}

const YEAR = String.raw`(?<year>20\d\d)`;
/** Folded Latin letters only: Japanese has no space before its numbers. */
const EDGE = String.raw`(?<![\da-z])`;
const ORDINAL = String.raw`(?:st|nd|rd|th|er|re|\.|º|°|ª|o|-?e|:e|de)?`;

const datePatterns = createDerived(
  autoReplyLanguages,
  (): ReadonlyMap<string, readonly RegExp[]> =>
    new Map([...dateTerms()].map(([language, terms]) => [language, createPatterns(terms)])),
);

function createPatterns(terms: DateTerms): RegExp[] {
  const months =
    terms.months.length === 0 ? null : `(?<month>${terms.months.map((month) => `(?:${month})`).join('|')})`;
  const weekdays = `(?<weekday>${terms.weekdays.map((weekday) => `(?:${weekday})`).join('|')})`;
  const range = `(?:${terms.range})`;
  const tail = String.raw`(?![\p{L}\d])`;
  const patterns = [
    String.raw`${EDGE}${YEAR}(?<separator>[-/.])(?<monthNumber>\d{1,2})\k<separator>(?<day>\d{1,2})(?!\d)`,
    String.raw`(?:${YEAR} ?[年년] ?)?(?<!\d)(?<monthNumber>\d{1,2}) ?[月월] ?(?<day>\d{1,2}) ?[日号號일]`,
    String.raw`${EDGE}(?<first>\d{1,2})(?<separator>[./-])(?<second>\d{1,2})(?:\k<separator>(?<year>20\d\d|\d\d)(?!\d)|(?:\.(?!\d)|(?=[ )\],;!-]|$)))`,
    // "Good morning" and "in the morning" in the languages where it is the same word.
    String.raw`(?<!\p{L}|gut(?:en)? |goede |la )(?<tomorrow>${terms.tomorrow})(?!\p{L})`,
    String.raw`(?<!\p{L})(?<nextWeek>${terms.nextWeek})(?!\p{L})`,
    terms.months.length === 0 ? weekdays : `(?<!\\p{L})${weekdays}(?!\\p{L})`,
  ];
  if (months !== null) {
    patterns.push(
      String.raw`${EDGE}(?:(?<from>\d{1,2})${ORDINAL} ?${range} ?(?:the |le |el |den |dem |il |dia )?)?(?<day>\d{1,2})${ORDINAL},? ?(?:of |de |den |dni )?${months}${tail}\.?(?:,? ?(?:de |del |do |r\. )?${YEAR}(?!\d))?`,
      String.raw`(?<!\p{L})${months}\.? (?:the )?(?:(?<from>\d{1,2})${ORDINAL} ?${range} ?)?(?<day>\d{1,2})(?!\d|:|\.\d)(?:st|nd|rd|th)?(?:,? ${YEAR}(?!\d))?`,
    );
  }
  return patterns.map((pattern) => new RegExp(pattern, 'gu'));
}

/** Days per language that are read; mails name two or three. */
const MAX_DAYS = 100;

/** Lists the days that a folded text names, in order and without overlaps. */
export function listNamedDays(text: string, language: string): readonly NamedDay[] {
  const terms = dateTerms().get(language);
  const patterns = datePatterns().get(language);
  if (terms === undefined || patterns === undefined) return [];
  const found: NamedDay[] = [];
  for (const pattern of patterns)
    for (const match of text.matchAll(pattern)) {
      const day = toNamedDay(match, terms);
      if (day !== null) found.push(day);
      if (found.length > MAX_DAYS * 4) break;
    }
  // Of two overlapping matches the longer one is more specific.
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  const apart: NamedDay[] = [];
  for (const day of found) {
    const last = apart.at(-1);
    if (last === undefined || day.start >= last.end) apart.push(day);
    else if (day.end > last.end && day.end - day.start > last.end - last.start) apart[apart.length - 1] = day;
  }
  return apart.slice(0, MAX_DAYS);
}

function toNamedDay(match: RegExpMatchArray, terms: DateTerms): NamedDay | null {
  const { groups = {}, index = 0 } = match;
  const day: NamedDay = {
    start: index,
    end: index + match[0].length,
    year: parseYear(groups['year']),
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
  if (groups['weekday'] !== undefined) return { ...day, weekday: findNumber(terms.weekdays, groups['weekday']) };
  if (groups['first'] !== undefined) return toNumericDay(day, groups);
  const month =
    groups['month'] === undefined ? Number(groups['monthNumber']) : findNumber(terms.months, groups['month']);
  return toPlausible({ ...day, month, day: Number(groups['day']) });
}

/** Reads day and month in either order; with dots the day is first. `24/7` is no date. */
function toNumericDay(
  day: NamedDay,
  { first, second, separator }: Record<string, string | undefined>,
): NamedDay | null {
  if (separator === '-' && day.year === null) return null;
  if (first === '24' && second === '7' && day.year === null) return null;
  const [one, two] = [Number(first), Number(second)];
  const swappable = separator !== '.' && one <= 12 && two <= 12;
  return toPlausible(two > 12 ? { ...day, month: one, day: two } : { ...day, month: two, day: one, swappable });
}

function toPlausible(day: NamedDay): NamedDay | null {
  const { month, day: date } = day;
  return month !== null && date !== null && month >= 1 && month <= 12 && date >= 1 && date <= 31 ? day : null;
}

function parseYear(text: string | undefined): number | null {
  if (text === undefined) return null;
  return text.length === 2 ? 2000 + Number(text) : Number(text);
}

function findNumber(alternatives: readonly string[], term: string): number {
  return alternatives.findIndex((source) => new RegExp(`^(?:${source})$`, 'u').test(term)) + 1;
}
