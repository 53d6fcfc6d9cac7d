/** The meaning of a phrase. */
export type Meaning =
  /** Resembles another meaning without having it; the matched text is ignored. */
  | 'shield'
  | 'opt-out'
  | 'refusal'
  /** Another person is responsible and is named. */
  | 'referral'
  /** Another person, or no one, is responsible. */
  | 'wrong-person'
  /** Not now, maybe later. */
  | 'later'
  | 'interest'
  /** Interest that may be politeness. */
  | 'weak-interest'
  | 'question'
  | 'thanks';

/** Rule name and the source of a regular expression over folded text on one line. */
type Phrase = readonly [name: string, pattern: string];

export interface LabelRules {
  readonly language: string;
  /** Negations before a phrase in its clause. */
  readonly negation: string;
  readonly phrases: Readonly<Record<Meaning, readonly Phrase[]>>;
}
