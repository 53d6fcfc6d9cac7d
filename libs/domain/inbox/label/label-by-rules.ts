import { autoReplyLanguages } from '../auto-reply/auto-reply-assets';
import { createDerived } from '../text/asset-pattern';
import { foldLine } from '../text/fold';
import { getLanguages } from '../text/language';
import { type LabelRules, type Meaning } from './label-rules';
import { replyLabels } from './reply-label-assets';

export type ReplyLabel = 'positive' | 'neutral' | 'negative' | 'out_of_office' | 'unsubscribe_request' | 'other';

export interface Labelled {
  readonly label: ReplyLabel;
  /** The rule that decided, with its language if it has one: `not-interested.en`. */
  readonly rule: string;
  /** Low when the phrase is ambiguous. */
  readonly confidence: 'high' | 'low';
}

export interface Reply {
  /** The text without quotes and signature, as of `getVisibleText`. */
  readonly text: string;
  readonly subject: string;
  /** ISO 639-1; detected when missing. */
  readonly language?: string;
}

/** Characters of a reply that are read. */
const MAX_READ = 4_000;
/** Characters needed to detect the language: "no" is a word in four languages. */
const MIN_DETECTABLE = 8;

/** Meanings in order of precedence: matched text is removed before the next one. */
const ORDER: readonly Meaning[] = [
  'shield',
  'opt-out',
  'refusal',
  'wrong-person',
  'referral',
  'later',
  'interest',
  'weak-interest',
  'question',
  'thanks',
];

interface Compiled {
  readonly language: string;
  readonly negation: RegExp;
  readonly phrases: ReadonlyArray<readonly [Meaning, ReadonlyArray<readonly [name: string, pattern: RegExp]>]>;
}

const compiledRules = createDerived(replyLabels, (languages) => languages.map(compile));
const awayPatterns = createDerived(
  autoReplyLanguages,
  (languages): ReadonlyMap<string, RegExp> =>
    new Map(languages.map(({ language, phrases }) => [language, new RegExp(phrases.away, 'u')])),
);

function compile({ language, negation, phrases }: LabelRules): Compiled {
  return {
    language,
    // Up to four words between negation and phrase.
    negation: new RegExp(`(?:(?<!\\p{L})|(?=n't))(?:${negation})(?: [\\p{L}']{1,16}){0,4} ?$`, 'u'),
    phrases: ORDER.map(
      (meaning) =>
        [meaning, phrases[meaning].map(([name, source]) => [name, createPhrasePattern(source)] as const)] as const,
    ),
  };
}

/** Phrases begin at a word boundary or at the end of "don't". */
function createPhrasePattern(source: string): RegExp {
  return new RegExp(`(?:(?<!\\p{L})|(?=n't))(?:${source})`, 'gu');
}

/** The first phrase found per meaning. */
type Found = Map<Meaning, string>;

/**
 * Labels a person's reply by its phrases, in the languages of the asset files. An opt-out outweighs all else, a refusal outweighs
 * interest. "Not the right person" is `neutral` when it names another person, otherwise `other`; "not now" and questions are
 * `neutral`. The subject counts only for an opt-out, with a short or empty text. Never throws; reads the first 4 000 characters.
 */
export function labelByRules({ text, subject, language }: Reply): Labelled {
  const folded = foldLine(text.slice(0, MAX_READ));
  if (folded === '')
    return isOptOutSubject(subject)
      ? toLabelled('unsubscribe_request', 'subject-unsubscribe')
      : toLabelled('other', 'empty', 'low');
  if (isOptOutSubject(subject) && folded.length < 200) return toLabelled('unsubscribe_request', 'subject-unsubscribe');
  const results = sortByLanguage(language ?? (folded.length < MIN_DETECTABLE ? [] : getLanguages(folded))).map(
    (rules) => labelByLanguage(folded, rules),
  );
  // Politeness or a question in one language may be an answer in another: "es" is a word in two.
  const answer = results.find((label) => label?.isAnswer) ?? results.find((label) => label !== null);
  if (answer) return answer.labelled;
  return folded.endsWith('?') ? toLabelled('neutral', 'asks', 'low') : toLabelled('other', 'nothing-recognised', 'low');
}

/** Puts the rules of the likely languages first. */
function sortByLanguage(likely: string | readonly string[]): readonly Compiled[] {
  const all = compiledRules();
  const first = [likely].flat().flatMap((language) => all.filter((rules) => rules.language === language));
  return [...first, ...all.filter((rules) => !first.includes(rules))];
}

/** Recognises subjects of unsubscribe mails, which are often empty. */
function isOptOutSubject(subject: string): boolean {
  return /^(?:(?:re|aw|sv|fwd?|wg): )*(?:please )?(?:unsubscribe|abmelden|abbestellen|desabonnement|me desabonner|desinscription|darse de baja|baja|cancelar suscripcion|descadastrar|afmelden|uitschrijven|disiscrivimi|cancellami|stop)[.! ]*$/.test(
    foldLine(subject),
  );
}

interface LanguageResult {
  readonly labelled: Labelled;
  /** More than a question, thanks or politeness. */
  readonly isAnswer: boolean;
}

function labelByLanguage(folded: string, rules: Compiled): LanguageResult | null {
  const found = findMeanings(folded, rules);
  const by = (
    meaning: Meaning,
    label: ReplyLabel,
    confidence: Labelled['confidence'] = 'high',
    isAnswer = true,
  ): LanguageResult => ({
    labelled: toLabelled(label, `${found.get(meaning) ?? ''}.${rules.language}`, confidence),
    isAnswer,
  });
  const interested = found.has('interest');
  const referred = found.has('referral');
  if (found.has('opt-out')) return by('opt-out', 'unsubscribe_request');
  if (found.has('refusal') && referred) return by('referral', 'neutral', 'low');
  if (found.has('refusal')) return by('refusal', 'negative', interested ? 'low' : 'high');
  if (found.has('wrong-person')) return referred ? by('referral', 'neutral') : by('wrong-person', 'other');
  if (!interested && awayPatterns().get(rules.language)?.test(folded) === true) {
    return { labelled: toLabelled('out_of_office', `away.${rules.language}`, 'low'), isAnswer: true };
  }
  if (found.has('later')) return by('later', 'neutral', interested ? 'low' : 'high');
  if (interested) return by('interest', 'positive', referred ? 'low' : 'high');
  if (referred) return by('referral', 'neutral');
  if (found.has('question')) return by('question', 'neutral', 'high', false);
  if (found.has('weak-interest')) return by('weak-interest', 'positive', 'low', false);
  return found.has('thanks') ? by('thanks', 'neutral', 'low', false) : null;
}

function findMeanings(folded: string, { phrases, negation }: Compiled): Found {
  const found: Found = new Map();
  let text = folded;
  for (const [meaning, patterns] of phrases)
    for (const [name, pattern] of patterns) {
      const isInterest = meaning === 'interest' || meaning === 'weak-interest';
      text = text.replace(pattern, (phrase: string, ...groups: unknown[]) => {
        const at = groups.find((value) => typeof value === 'number') ?? 0;
        const negated = isInterest && negation.test(getClauseBefore(text, at));
        const actual = negated ? 'refusal' : meaning;
        if (!found.has(actual)) found.set(actual, negated ? 'negated-interest' : name);
        // A question may contain another phrase; other matches are removed.
        return meaning === 'question' ? phrase : ' \u00a7 ';
      });
    }
  return found;
}

/** Returns the text before an index within its clause. */
function getClauseBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 80), at);
  return before
    .replace(
      /^.*(?:[,;:.!?\u00a7]|(?<!\p{L})(?:but|however|aber|sondern|mais|pero|sino|mas|maar|ma|pero)(?!\p{L}))/su,
      '',
    )
    .trimStart();
}

function toLabelled(label: ReplyLabel, rule: string, confidence: Labelled['confidence'] = 'high'): Labelled {
  return { label, rule, confidence };
}
