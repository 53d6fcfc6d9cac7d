/** What a phrase says, apart from how the label is decided when several are said. */
export type Meaning =
  /** Looks like another one and is none; the words count no more. */
  | 'shield'
  | 'opt-out'
  | 'refusal'
  /** Somebody else decides, and is named. */
  | 'referral'
  /** Somebody else decides, or nobody any more. */
  | 'wrong-person'
  /** Not now, maybe at another time. */
  | 'later'
  | 'interest'
  /** What people also say out of politeness. */
  | 'weak-interest'
  | 'question'
  | 'thanks';

/** Rule name and the source of a regular expression over folded text on one line. */
type Phrase = readonly [name: string, pattern: string];

export interface LabelRules {
  readonly language: string;
  /** Words before a phrase, in its clause, that turn it round. */
  readonly negation: string;
  readonly phrases: Readonly<Record<Meaning, readonly Phrase[]>>;
}
