import { type ParsedMail } from '../classify/parsed-mail';
import { derive } from '../text/asset-pattern';
import { fold, foldedLine } from '../text/fold';
import { readAnswer } from '../text/visible-text';
import { autoReplyLanguages, type Phrases } from './auto-reply-assets';
import { headerRules } from './header-rules';
import { returnDate } from './return-date';
import { subjectKind } from './subject-kinds';

export interface AutoReply {
  /** The rule that decided. */
  readonly rule: string;
  readonly kind: 'out_of_office' | 'auto_reply';
  /** First day back as YYYY-MM-DD, null when it is not said or the writer is not away. */
  readonly returnsOn: string | null;
}

/** Characters of a mail that are read: what a mailbox answers is short. */
const READ = 16_384;
/** Characters of the visible text in which phrases are looked for. */
const SEEN = 4_000;

/** Longer letters with an absence in them are people's. */
const MOSTLY = 2_500;

/** What is read of a mail. */
interface Said {
  readonly mail: ParsedMail;
  /** The visible text, and the same folded on one line. */
  readonly written: string;
  readonly folded: string;
}

type Sign = keyof Phrases;
type Patterns = Readonly<Record<Sign, RegExp>>;

const SIGNS: readonly Sign[] = ['automatic', 'away', 'absence', 'arrangement', 'opener', 'received', 'promise', 'left'];
const languagePatterns = derive(autoReplyLanguages, (languages): readonly Patterns[] =>
  languages.map(
    ({ phrases }) => Object.fromEntries(SIGNS.map((sign) => [sign, patternOf(phrases[sign])])) as Record<Sign, RegExp>,
  ),
);

/** The dot of `5. Januar` ends no sentence. */
function patternOf(source: string): RegExp {
  return new RegExp(
    source.replace(/\[\^\.(!\?)?\]/g, (outside) => `(?:${outside}|(?<=\\d)[.])`),
    'gu',
  );
}

/** What the words of a mail say, each sign with the number of different places where it stands in the best language. */
type Signs = Readonly<Record<Sign, number>>;

/** Folded: what people write to people and no mailbox does. */
const CONVERSATION =
  /\?|？|(?<!\p{L})(?:let's|sounds good|(?:happy|glad) to (?:chat|talk|meet)|would love|interested|call me|remove me|unsubscribe|as discussed|attached|best time|let me know|gerne|interesse|lassen sie uns|interesse|interesad|interessad|geinteresseerd|interessat)/u;

/**
 * Whether a mail was sent by a mailbox or a program and not by a person, null when a person may have written it. Ask only
 * for mails that are no bounces: those carry the same headers. Headers decide first, then the subject, then the phrases of
 * the visible text; a person who mentions a holiday is a person. Never throws.
 */
export function classifyAutoReply(mail: ParsedMail): AutoReply | null {
  const read = {
    text: mail.text.slice(0, READ),
    html: mail.text.trim() === '' ? (mail.html?.slice(0, READ) ?? null) : null,
  };
  const { text, sure = text, above = '' } = readAnswer(read);
  const written = (sure === '' ? above : sure).slice(0, SEEN);
  const said: Said = { mail, written, folded: foldedLine(written) };
  const rule = headerRules.value.rules.find(({ holds }) => holds(mail));
  if (rule === undefined) return bySubject(said) ?? byPhrases(said);
  return judged(said, rule.name, !rule.neverAway && isAbsence(said));
}

function bySubject(said: Said): AutoReply | null {
  const signs = signsOf(said.folded);
  const known = signs.away > 0 || signs.arrangement > 0 || signs.automatic > 0;
  switch (subjectKind(said.mail.subject)) {
    case 'automatic':
      return judged(said, 'subject-automatic', isAbsence(said));
    case 'absence':
      return known || signs.absence > 0 ? judged(said, 'subject-absence', true) : null;
    case 'named-absence':
      return judged(said, 'subject-named-absence', true);
    case 'challenge':
      return judged(said, 'challenge', false);
    case 'received':
      return signs.received + signs.promise + signs.automatic > 0 ? judged(said, 'subject-received', false) : null;
    case 'receipt':
      return said.folded.length < 400 ? judged(said, 'subject-receipt', false) : null;
    case null:
      return null;
  }
}

function byPhrases(said: Said): AutoReply | null {
  const { mail, folded } = said;
  const signs = signsOf(folded);
  const conversation = CONVERSATION.test(withoutArrangement(folded));
  if (signs.automatic > 0 && (!conversation || signs.away + signs.received > 0)) {
    return judged(said, 'phrase-automatic', signs.away > 0 || signs.absence > 1);
  }
  const hinted = headerRules.value.hints.some(({ holds }) => holds(mail));
  const away = signs.away > 0;
  if (away && hinted && !conversation) return judged(said, 'phrase-away-hinted', true);
  const arranged = signs.arrangement > 0 && (signs.arrangement > 1 || signs.opener > 0 || !conversation);
  if (away && arranged && folded.length <= MOSTLY) return judged(said, 'phrase-away-arranged', true);
  if (away && signs.opener > 0 && !conversation && !isAnswering(mail)) return judged(said, 'phrase-away-thanked', true);
  if (signs.received > 0 && signs.promise > 0 && (hinted || (!conversation && !isAnswering(mail)))) {
    return judged(said, 'phrase-received', false);
  }
  return signs.left > 0 && signs.opener > 0 && !conversation ? judged(said, 'phrase-left', false) : null;
}

/** A person's answer keeps the subject with `Re:` and quotes; vacation programs that do so say more than thanks. */
function isAnswering(mail: ParsedMail): boolean {
  return (
    /^\s{0,3}(?:re|aw|antw|sv|vs|odp|res|rif|回复|答复|返信)\s?[:：]/iu.test(mail.subject) &&
    mail.inReplyTo !== null &&
    /^\s{0,3}>/m.test(mail.text)
  );
}

/** "Any questions? Please contact my colleague" and "please let her know" are of an absence, too. */
function withoutArrangement(text: string): string {
  return text
    .replace(/(?:any|further|urgent|fragen|questions?|preguntas?|dringend)[^.?!]{0,40}\?/gu, ' ')
    .replace(/https?:\/\/\S{1,400}/g, ' ');
}

/** Whether a mail that is known to be automatic speaks of absence. */
function isAbsence({ mail, folded }: Said): boolean {
  const kind = subjectKind(mail.subject);
  if (kind === 'absence' || kind === 'named-absence') return true;
  const signs = signsOf(`${foldedLine(mail.subject.slice(0, 300))} ${folded}`);
  if (signs.away > 0) return true;
  return signs.absence > 0 && (signs.received === 0 || signs.absence > 1);
}

function signsOf(text: string): Signs {
  let best: Signs | null = null;
  let points = 0;
  for (const patterns of languagePatterns()) {
    const signs = Object.fromEntries(SIGNS.map((sign) => [sign, differentPlaces(text, patterns[sign])])) as Record<
      Sign,
      number
    >;
    const sum =
      signs.automatic * 3 +
      signs.away * 3 +
      signs.arrangement * 2 +
      signs.opener +
      signs.received +
      signs.promise +
      signs.absence +
      signs.left;
    if (best !== null && sum <= points) continue;
    best = signs;
    points = sum;
  }
  return best ?? { automatic: 0, away: 0, absence: 0, arrangement: 0, opener: 0, received: 0, promise: 0, left: 0 };
}

/** At most 5 are counted. */
function differentPlaces(text: string, pattern: RegExp): number {
  const found = new Set<string>();
  for (const [words] of text.matchAll(pattern)) {
    found.add(words);
    if (found.size >= 5) break;
  }
  return found.size;
}

function judged({ mail, written }: Said, rule: string, away: boolean): AutoReply {
  if (!away) return { rule, kind: 'auto_reply', returnsOn: null };
  const sent = mail.date && { at: mail.date, offset: offsetOf(mail) };
  return {
    rule,
    kind: 'out_of_office',
    returnsOn: sent && returnDate(`${mail.subject.slice(0, 300)}. ${written}`, sent),
  };
}

/** Minutes east of UTC in the Date header (RFC 5322, 3.3). */
function offsetOf(mail: ParsedMail): number | undefined {
  const [, sign, hours, minutes] = /([+-])(\d\d)(\d\d)\b/.exec(fold(mail.headers.get('date') ?? '').slice(0, 80)) ?? [];
  if (sign === undefined) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
