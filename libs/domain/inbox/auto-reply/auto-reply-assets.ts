import { join } from 'node:path';
import { AssetSet } from '@platform/config';
import { type AssetPattern, toSource } from '../text/asset-pattern';
import { loadLanguages } from '../text/language-files';

/** What people let their mailbox answer, as sources of regular expressions over folded text on one line. */
export interface Phrases {
  /** Says of itself that nobody wrote it: proof. */
  readonly automatic: string;
  /** The writer is away, as a sentence of their own. */
  readonly away: string;
  /** Words of absence that say it only of a mail that is known to be automatic. */
  readonly absence: string;
  /** What a mailbox adds: mail is not read or passed on, another person helps, an answer comes after the return. */
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

/** How a language speaks of days. All are sources of regular expressions over folded text. */
export interface DateWords {
  /** January to December, alternatives in full and short; empty where months have numbers. */
  readonly months: readonly string[];
  /** Monday to Sunday. */
  readonly weekdays: readonly string[];
  /** Before or behind a day: it is the first day back. */
  readonly back: string;
  /** Before or behind a day: it is the last day away. */
  readonly until: string;
  /** Before a day: the absence begins with it. */
  readonly since: string;
  /** Between the first and the last day. */
  readonly range: string;
  readonly tomorrow: string;
  readonly nextWeek: string;
  /** "Until" the day on which one is back, which is not the last day away. */
  readonly untilIsBack?: boolean;
  /** Words that make the named day the last one away whatever came before. */
  readonly inclusive: string;
}

export interface AutoReplyLanguage {
  readonly language: string;
  /** A language of the operator, which `getLanguages` does not know. */
  readonly isAdded: boolean;
  readonly phrases: Phrases;
  readonly dates: DateWords;
  /** Further languages with the same date words. */
  readonly datesAlsoFor: readonly string[];
}

type Stored<T> = { readonly [K in keyof T]: T[K] extends string ? AssetPattern : T[K] };

interface StoredLanguage {
  readonly language: string;
  readonly phrases: Stored<Phrases>;
  readonly dates: Stored<DateWords> & { readonly alsoFor?: readonly string[] };
}

/** The words of automatic replies in every language, from `assets/auto-reply` and the operator's `inbox/auto-reply`. */
export const autoReplyLanguages = new AssetSet<readonly AutoReplyLanguage[]>('inbox/auto-reply', (operatorFolder) =>
  loadLanguages({
    folder: join(__dirname, '..', 'assets', 'auto-reply'),
    schema: 'language.schema.json',
    operatorFolder,
    compile: toLanguage,
  }),
);

function toLanguage({ language, phrases, dates }: StoredLanguage, isAdded: boolean): AutoReplyLanguage {
  const { alsoFor = [], months, weekdays, untilIsBack, ...words } = dates;
  return {
    language,
    isAdded,
    phrases: sourcesOf(phrases),
    dates: {
      months: months.map((month) => toSource(month)),
      weekdays: weekdays.map((weekday) => toSource(weekday)),
      ...sourcesOf(words),
      ...(untilIsBack === undefined ? {} : { untilIsBack }),
    },
    datesAlsoFor: alsoFor,
  };
}

function sourcesOf<K extends string>(patterns: Readonly<Record<K, AssetPattern>>): Readonly<Record<K, string>> {
  const sources = Object.entries<AssetPattern>(patterns).map(([name, pattern]) => [name, toSource(pattern)] as const);
  return Object.fromEntries(sources) as Record<K, string>;
}
