/** What threads are about, the same in each built-in language. An operator may add others. */
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
 * Ways of saying one thing, of which one is taken. `[a|b]` in it stands for a or b, `{day}` for a detail of the thread.
 * (Spins of the merge language of campaigns take no variables inside, and cost three times the characters.)
 */
export type Slot = readonly string[];

/**
 * One of the answers that fit an opening, and what the first writer says to that. Where all sayings of a closing have two
 * sentences, the first of any goes with the second of any.
 */
export interface Answer {
  readonly reply: readonly Slot[];
  readonly closing: readonly Slot[];
}

/** What two people may write each other about one thing. Whatever is taken from a slot follows whatever came before it. */
export interface Topic {
  /** One of `TOPICS`, or a name of the operator's. */
  readonly name: string;
  readonly subjects: Slot;
  readonly opening: readonly Slot[];
  /** 2 to 4. */
  readonly answers: readonly Answer[];
}

/** What stays the same through a thread. */
export interface Details {
  /** Monday to Friday, as it stands in the middle of a sentence. */
  readonly day: readonly string[];
  /** Times of a working day from 2 o'clock on, so that the article of a time is a plural everywhere. */
  readonly time: readonly string[];
  /** Names of projects. */
  readonly project: readonly string[];
  readonly city: readonly string[];
}
export type DetailName = keyof Details;

/** By when it is said. Weekend: neither of a work week's wishes fits, so `always` alone is taken. */
export interface ByWeekday {
  readonly always: Slot;
  readonly monday: Slot;
  /** Tuesday to Thursday. */
  readonly midweek: Slot;
  readonly friday: Slot;
}

/** What stands around the body of a mail. */
export interface Frame {
  /** Whether what follows a greeting that ends in a comma begins in lower case, as in German: it is written so here. */
  readonly goesOnAfterComma: boolean;
  /** Hours of the clock from which on it is afternoon and evening; the morning begins at 5. */
  readonly noon: number;
  readonly evening: number;
  /** With ` {name}` or `, {name}` in them, which is left out where no name is known. */
  readonly greetings: Readonly<Record<'always' | 'morning' | 'afternoon' | 'evening', Slot>>;
  /** First sentences of an opening. */
  readonly wishes: ByWeekday;
  /** Last sentences of a mail. */
  readonly farewells: ByWeekday;
  readonly signOffs: Slot;
}

/** The language itself: how it is recognised, and what mail programs write in it. */
export interface LanguageTraits {
  /** English name, with the form of address, for the language model. */
  readonly modelName: string;
  /** What mail programs put in front of the subject of an answer. */
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
  /** Short words that the language cannot do without. */
  readonly commonWords: ReadonlySet<string>;
  /** Words of money, of urgency and of advertising, by which filters know unwanted mail: no text of warmup says them. */
  readonly spamPattern: RegExp;
}

/** All that is said in one language. */
export interface Library {
  readonly details: Details;
  readonly frame: Frame;
  readonly topics: readonly Topic[];
  /** What follows a closing, whichever it was. */
  readonly lastWords: readonly Slot[];
  /** What follows last words, and ends the longest thread. */
  readonly partingWords: readonly Slot[];
  readonly traits: LanguageTraits;
}
