import { join } from 'node:path';
import { AssetSet } from '@platform/config';
import { type AssetPattern, toSource } from '../text/asset-pattern';
import { loadLanguages } from '../text/language-files';

/** Phrases of automatic replies, as regular expression sources over folded text on one line. */
export interface Phrases {
  /** The mail calls itself automatic: proof. */
  readonly automatic: string;
  /** A sentence that says that the author is away. */
  readonly away: string;
  /** Terms of absence that count only in a mail that is automatic for other reasons. */
  readonly absence: string;
  /** Arrangements: mail is not read or forwarded, another person helps, a reply follows after the return. */
  readonly arrangement: string;
  /** "Thank you for your message", at the beginning. */
  readonly opener: string;
  /** "We have received your message." */
  readonly received: string;
  /** "We will answer within 24 hours." */
  readonly promise: string;
  /** The owner of the mailbox has left. */
  readonly left: string;
}

/** Date terms of a language, as regular expression sources over folded text. */
export interface DateTerms {
  /** January to December, full and short forms; empty when months are numbers. */
  readonly months: readonly string[];
  /** Monday to Sunday. */
  readonly weekdays: readonly string[];
  /** Before or after a day: it is the first day back. */
  readonly back: string;
  /** Before or after a day: it is the last day away. */
  readonly until: string;
  /** Before a day: it is the first day of the absence. */
  readonly since: string;
  /** Between the first and the last day. */
  readonly range: string;
  readonly tomorrow: string;
  readonly nextWeek: string;
  /** Whether "until" names the day of the return instead of the last day away. */
  readonly untilIsBack?: boolean;
  /** Terms that make the named day the last day away in any case. */
  readonly inclusive: string;
}

export interface AutoReplyLanguage {
  readonly language: string;
  /** Added by the operator; `getLanguages` does not detect it. */
  readonly isAdded: boolean;
  readonly phrases: Phrases;
  readonly dates: DateTerms;
  /** Further languages with the same date words. */
  readonly datesAlsoFor: readonly string[];
}

type Stored<T> = { readonly [K in keyof T]: T[K] extends string ? AssetPattern : T[K] };

interface StoredLanguage {
  readonly language: string;
  readonly phrases: Stored<Phrases>;
  readonly dates: Stored<DateTerms> & { readonly alsoFor?: readonly string[] };
}

/** The terms of automatic replies by language, from `assets/auto-reply` and the operator's `inbox/auto-reply`. */
export const autoReplyLanguages = new AssetSet<readonly AutoReplyLanguage[]>('inbox/auto-reply', (operatorFolder) =>
  loadLanguages({
    folder: join(__dirname, '..', 'assets', 'auto-reply'),
    schema: 'language.schema.json',
    operatorFolder,
    compile: toLanguage,
  }),
);

function toLanguage({ language, phrases, dates }: StoredLanguage, isAdded: boolean): AutoReplyLanguage {
  const { alsoFor = [], months, weekdays, untilIsBack, ...terms } = dates;
  return {
    language,
    isAdded,
    phrases: toSources(phrases),
    dates: {
      months: months.map((month) => toSource(month)),
      weekdays: weekdays.map((weekday) => toSource(weekday)),
      ...toSources(terms),
      ...(untilIsBack === undefined ? {} : { untilIsBack }),
    },
    datesAlsoFor: alsoFor,
  };
}

function toSources<K extends string>(patterns: Readonly<Record<K, AssetPattern>>): Readonly<Record<K, string>> {
  const sources = Object.entries<AssetPattern>(patterns).map(([name, pattern]) => [name, toSource(pattern)] as const);
  return Object.fromEntries(sources) as Record<K, string>;
}
