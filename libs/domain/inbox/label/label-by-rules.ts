import { autoReplyLanguages } from '../auto-reply/auto-reply-assets';
import { derive } from '../text/asset-pattern';
import { foldedLine } from '../text/fold';
import { getLanguages } from '../text/language';
import { type LabelRules, type Meaning } from './label-rules';
import { replyLabels } from './reply-label-assets';

export type ReplyLabel = 'positive' | 'neutral' | 'negative' | 'out_of_office' | 'unsubscribe_request' | 'other';

export interface Labelled {
  readonly label: ReplyLabel;
  /** The rule that decided, with its language: `not-interested.en`; rules of no language stand alone. */
  readonly rule: string;
  /** Low where people who say so may mean something else. */
  readonly confidence: 'high' | 'low';
}

export interface Reply {
  /** What the person wrote, without quotes and signature: see `visibleText`. */
  readonly text: string;
  readonly subject: string;
  /** ISO 639-1, when it is known; otherwise the words tell. */
  readonly language?: string;
}

/** Characters of a reply that are read: who has not said it by then says it nowhere. */
const SEEN = 4_000;
/** Characters from which a text tells its language: "no" is a word of four. */
const SPEAKING = 8;

/** In this order: the words of one are gone for those that follow. */
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

const compiledRules = derive(replyLabels, (languages) => languages.map(compiled));
const awayPatterns = derive(
  autoReplyLanguages,
  (languages): ReadonlyMap<string, RegExp> =>
    new Map(languages.map(({ language, phrases }) => [language, new RegExp(phrases.away, 'u')])),
);

function compiled({ language, negation, phrases }: LabelRules): Compiled {
  return {
    language,
    // Up to four words between, none that begins another clause.
    negation: new RegExp(`(?:(?<!\\p{L})|(?=n't))(?:${negation})(?: [\\p{L}']{1,16}){0,4} ?$`, 'u'),
    phrases: ORDER.map(
      (meaning) => [meaning, phrases[meaning].map(([name, source]) => [name, fromWord(source)] as const)] as const,
    ),
  };
}

/** Phrases begin with a word, or with the end of "don't". */
function fromWord(source: string): RegExp {
  return new RegExp(`(?:(?<!\\p{L})|(?=n't))(?:${source})`, 'gu');
}

/** The first phrase found of each meaning. */
type Found = Map<Meaning, string>;

/**
 * The label of a person's reply by what they say in English, German, French, Spanish, Portuguese, Dutch or Italian. An
 * opt-out outweighs everything, a refusal all interest; "not the right person" is `neutral` when it names another one and
 * `other` when not; "not now" and questions are `neutral`. Subjects count for an opt-out only, and only when nothing else is
 * written or they say nothing else. Never throws; the time does not depend on more than the first 4 000 characters.
 */
export function labelByRules({ text, subject, language }: Reply): Labelled {
  const folded = foldedLine(text.slice(0, SEEN));
  if (folded === '')
    return isOptOutSubject(subject)
      ? decided('unsubscribe_request', 'subject-unsubscribe')
      : decided('other', 'empty', 'low');
  if (isOptOutSubject(subject) && folded.length < 200) return decided('unsubscribe_request', 'subject-unsubscribe');
  const said = inOrder(language ?? (folded.length < SPEAKING ? [] : getLanguages(folded))).map((rules) =>
    labelIn(folded, rules),
  );
  // What is polite or asked in one language may be an answer in another: "es" is a word of two.
  const answer = said.find((label) => label?.isAnswer) ?? said.find((label) => label !== null);
  if (answer) return answer.labelled;
  return folded.endsWith('?') ? decided('neutral', 'asks', 'low') : decided('other', 'nothing-recognised', 'low');
}

/** The rules of the likely languages first. */
function inOrder(likely: string | readonly string[]): readonly Compiled[] {
  const all = compiledRules();
  const first = [likely].flat().flatMap((language) => all.filter((rules) => rules.language === language));
  return [...first, ...all.filter((rules) => !first.includes(rules))];
}

/** People send the list's own `unsubscribe` back as the subject of an empty mail. */
function isOptOutSubject(subject: string): boolean {
  return /^(?:(?:re|aw|sv|fwd?|wg): )*(?:please )?(?:unsubscribe|abmelden|abbestellen|desabonnement|me desabonner|desinscription|darse de baja|baja|cancelar suscripcion|descadastrar|afmelden|uitschrijven|disiscrivimi|cancellami|stop)[.! ]*$/.test(
    foldedLine(subject),
  );
}

interface Said {
  readonly labelled: Labelled;
  /** Not only a question, thanks or politeness. */
  readonly isAnswer: boolean;
}

function labelIn(folded: string, rules: Compiled): Said | null {
  const found = meaningsIn(folded, rules);
  const by = (
    meaning: Meaning,
    label: ReplyLabel,
    confidence: Labelled['confidence'] = 'high',
    isAnswer = true,
  ): Said => ({
    labelled: decided(label, `${found.get(meaning) ?? ''}.${rules.language}`, confidence),
    isAnswer,
  });
  const interested = found.has('interest');
  const referred = found.has('referral');
  if (found.has('opt-out')) return by('opt-out', 'unsubscribe_request');
  if (found.has('refusal') && referred) return by('referral', 'neutral', 'low');
  if (found.has('refusal')) return by('refusal', 'negative', interested ? 'low' : 'high');
  if (found.has('wrong-person')) return referred ? by('referral', 'neutral') : by('wrong-person', 'other');
  if (!interested && awayPatterns().get(rules.language)?.test(folded) === true) {
    return { labelled: decided('out_of_office', `away.${rules.language}`, 'low'), isAnswer: true };
  }
  if (found.has('later')) return by('later', 'neutral', interested ? 'low' : 'high');
  if (interested) return by('interest', 'positive', referred ? 'low' : 'high');
  if (referred) return by('referral', 'neutral');
  if (found.has('question')) return by('question', 'neutral', 'high', false);
  if (found.has('weak-interest')) return by('weak-interest', 'positive', 'low', false);
  return found.has('thanks') ? by('thanks', 'neutral', 'low', false) : null;
}

function meaningsIn(folded: string, { phrases, negation }: Compiled): Found {
  const found: Found = new Map();
  let text = folded;
  for (const [meaning, patterns] of phrases)
    for (const [name, pattern] of patterns) {
      const isInterest = meaning === 'interest' || meaning === 'weak-interest';
      text = text.replace(pattern, (words, ...rest: unknown[]) => {
        const at = rest.find((value) => typeof value === 'number') ?? 0;
        const negated = isInterest && negation.test(clauseBefore(text, at));
        const said = negated ? 'refusal' : meaning;
        if (!found.has(said)) found.set(said, negated ? 'negated-interest' : name);
        // A question stays for whoever else reads it; what was said is said.
        return meaning === 'question' ? words : ' \u00a7 ';
      });
    }
  return found;
}

/** The words before a place in the same clause. */
function clauseBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 80), at);
  return before
    .replace(
      /^.*(?:[,;:.!?\u00a7]|(?<!\p{L})(?:but|however|aber|sondern|mais|pero|sino|mas|maar|ma|pero)(?!\p{L}))/su,
      '',
    )
    .trimStart();
}

function decided(label: ReplyLabel, rule: string, confidence: Labelled['confidence'] = 'high'): Labelled {
  return { label, rule, confidence };
}
