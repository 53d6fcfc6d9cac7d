/** Topics of threads, common to all built-in languages. An operator may add others. */
export const TOPICS = [
  'meeting-moved',
  'document-review',
  'invoice-question',
  'lunch',
  'travel',
  'project-status',
  'supplier',
  'training',
  'onboarding',
  'thank-you',
  'weekend-event',
  'tool-question',
] as const;
export type TopicName = (typeof TOPICS)[number];

/**
 * Alternative phrases, of which one is chosen. `[a|b]` stands for a or b, `{day}` for a detail of the thread. (Spins of campaigns
 * allow no variables inside, and take three times the characters.)
 */
export type Slot = readonly string[];

/**
 * An answer that fits an opening, and the first writer's closing. If all phrases of a closing have two sentences, any first may
 * be combined with any second.
 */
export interface Answer {
  readonly reply: readonly Slot[];
  readonly closing: readonly Slot[];
}

/** Texts about one topic. Any phrase of a slot fits any phrase of the slots before it. */
export interface Topic {
  /** One of `TOPICS`, or an operator's topic. */
  readonly name: string;
  readonly subjects: Slot;
  readonly opening: readonly Slot[];
  /** 2 to 4. */
  readonly answers: readonly Answer[];
}

/** Details that stay the same throughout a thread. */
export interface Details {
  /** Monday to Friday, as written inside a sentence. */
  readonly day: readonly string[];
  /** Times of a working day from 2 o'clock on, so that the article is a plural in every language. */
  readonly time: readonly string[];
  /** Names of projects. */
  readonly project: readonly string[];
  readonly city: readonly string[];
}
export type DetailName = keyof Details;

/** Phrases by weekday. On weekends only `always` is used. */
export interface ByWeekday {
  readonly always: Slot;
  readonly monday: Slot;
  /** Tuesday to Thursday. */
  readonly midweek: Slot;
  readonly friday: Slot;
}

/** Greeting and close around the body of a mail. */
export interface Frame {
  /** Whether the text after a greeting with a comma begins in lower case, as in German; texts are written so here. */
  readonly goesOnAfterComma: boolean;
  /** First hours of afternoon and evening; the morning begins at 5. */
  readonly noon: number;
  readonly evening: number;
  /** With ` {name}` or `, {name}`, which is omitted for an unknown name. */
  readonly greetings: Readonly<Record<'always' | 'morning' | 'afternoon' | 'evening', Slot>>;
  /** First sentences of an opening. */
  readonly wishes: ByWeekday;
  /** Last sentences of a mail. */
  readonly farewells: ByWeekday;
  readonly signOffs: Slot;
}

/** Detection of the language, and the conventions of mail programs in it. */
export interface LanguageTraits {
  /** English name and form of address, for the language model. */
  readonly modelName: string;
  /** Prefixes of answers in subjects. */
  readonly answerMarks: readonly string[];
  /** The line above a quote. */
  readonly attribution: {
    /** With `{who}`, `{weekday}`, `{day}`, `{month}`, `{year}` and `{clock}`. */
    readonly line: string;
    readonly clock: 12 | 24;
    /** Short names, Monday first. */
    readonly days: readonly string[];
    /** Short names, January first. */
    readonly months: readonly string[];
  };
  /** Frequent short words, for the detection of the language. */
  readonly commonWords: ReadonlySet<string>;
  /** Words of money, urgency and advertising that spam filters look for: no warmup text contains them. */
  readonly spamPattern: RegExp;
}

/** All texts of one language. */
export interface Library {
  readonly details: Details;
  readonly frame: Frame;
  readonly topics: readonly Topic[];
  /** Phrases after any closing. */
  readonly lastWords: readonly Slot[];
  /** Phrases after the last words, which end the longest thread. */
  readonly partingWords: readonly Slot[];
  readonly traits: LanguageTraits;
}
