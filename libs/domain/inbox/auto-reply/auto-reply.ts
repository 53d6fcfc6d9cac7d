import { type ParsedMail } from '../classify/parsed-mail';
import { createDerived } from '../text/asset-pattern';
import { fold, foldLine } from '../text/fold';
import { readMailAnswer } from '../text/visible-text';
import { autoReplyLanguages, type Phrases } from './auto-reply-assets';
import { headerRules } from './header-rules';
import { findReturnDate } from './return-date';
import { getSubjectKind } from './subject-kinds';

export interface AutoReply {
  /** The rule that decided. */
  readonly rule: string;
  readonly kind: 'out_of_office' | 'auto_reply';
  /** First day back, YYYY-MM-DD; null when it is not named or the author is not away. */
  readonly returnsOn: string | null;
}

/** Characters of a mail that are read: automatic replies are short. */
const MAX_READ = 16_384;
/** Characters of the visible text that are searched for phrases. */
const MAX_SEARCHED = 4_000;

/** Longer mails that mention an absence are from people. */
const MAX_ABSENCE_CHARS = 2_500;

/** The parts of a mail that the rules read. */
interface MailText {
  readonly mail: ParsedMail;
  /** The visible text, and the same folded on one line. */
  readonly written: string;
  readonly folded: string;
}

type Sign = keyof Phrases;
type Patterns = Readonly<Record<Sign, RegExp>>;

const SIGNS: readonly Sign[] = ['automatic', 'away', 'absence', 'arrangement', 'opener', 'received', 'promise', 'left'];
const languagePatterns = createDerived(autoReplyLanguages, (languages): readonly Patterns[] =>
  languages.map(
    ({ phrases }) =>
      Object.fromEntries(SIGNS.map((sign) => [sign, createPattern(phrases[sign])])) as Record<Sign, RegExp>,
  ),
);

/** Lets `[^.]` match the dot of `5. Januar`, which ends no sentence. */
function createPattern(source: string): RegExp {
  return new RegExp(
    source.replace(/\[\^\.(!\?)?\]/g, (outside) => `(?:${outside}|(?<=\\d)[.])`),
    'gu',
  );
}

/** Number of distinct phrases per sign, in the best matching language. */
type Signs = Readonly<Record<Sign, number>>;

/** Folded phrases that people write and programs do not. */
const CONVERSATION =
  /\?|？|(?<!\p{L})(?:let's|sounds good|(?:happy|glad) to (?:chat|talk|meet)|would love|interested|call me|remove me|unsubscribe|as discussed|attached|best time|let me know|gerne|interesse|lassen sie uns|interesse|interesad|interessad|geinteresseerd|interessat)/u;

/**
 * Classifies a mail that a program sent; null when a person may have written it. Only for mail that is no bounce: bounces have
 * the same headers. Headers decide first, then the subject, then phrases of the visible text; a mentioned holiday alone proves
 * nothing. Never throws.
 */
export function classifyAutoReply(mail: ParsedMail): AutoReply | null {
  const read = {
    text: mail.text.slice(0, MAX_READ),
    html: mail.text.trim() === '' ? (mail.html?.slice(0, MAX_READ) ?? null) : null,
  };
  const { text, certainText = text, textAboveQuote = '' } = readMailAnswer(read);
  const written = (certainText === '' ? textAboveQuote : certainText).slice(0, MAX_SEARCHED);
  const content: MailText = { mail, written, folded: foldLine(written) };
  const rule = headerRules.value.rules.find(({ matches }) => matches(mail));
  if (rule === undefined) return bySubject(content) ?? byPhrases(content);
  return toAutoReply(content, rule.name, !rule.neverAway && isAbsence(content));
}

function bySubject(content: MailText): AutoReply | null {
  const signs = countSigns(content.folded);
  const known = signs.away > 0 || signs.arrangement > 0 || signs.automatic > 0;
  switch (getSubjectKind(content.mail.subject)) {
    case 'automatic':
      return toAutoReply(content, 'subject-automatic', isAbsence(content));
    case 'absence':
      return known || signs.absence > 0 ? toAutoReply(content, 'subject-absence', true) : null;
    case 'named-absence':
      return toAutoReply(content, 'subject-named-absence', true);
    case 'challenge':
      return toAutoReply(content, 'challenge', false);
    case 'received':
      return signs.received + signs.promise + signs.automatic > 0
        ? toAutoReply(content, 'subject-received', false)
        : null;
    case 'receipt':
      return content.folded.length < 400 ? toAutoReply(content, 'subject-receipt', false) : null;
    case null:
      return null;
  }
}

function byPhrases(content: MailText): AutoReply | null {
  const { mail, folded } = content;
  const signs = countSigns(folded);
  const conversation = CONVERSATION.test(removeArrangement(folded));
  if (signs.automatic > 0 && (!conversation || signs.away + signs.received > 0)) {
    return toAutoReply(content, 'phrase-automatic', signs.away > 0 || signs.absence > 1);
  }
  const hinted = headerRules.value.hints.some(({ matches }) => matches(mail));
  const away = signs.away > 0;
  if (away && hinted && !conversation) return toAutoReply(content, 'phrase-away-hinted', true);
  const arranged = signs.arrangement > 0 && (signs.arrangement > 1 || signs.opener > 0 || !conversation);
  if (away && arranged && folded.length <= MAX_ABSENCE_CHARS) return toAutoReply(content, 'phrase-away-arranged', true);
  if (away && signs.opener > 0 && !conversation && !isAnswering(mail))
    return toAutoReply(content, 'phrase-away-thanked', true);
  if (signs.received > 0 && signs.promise > 0 && (hinted || (!conversation && !isAnswering(mail)))) {
    return toAutoReply(content, 'phrase-received', false);
  }
  return signs.left > 0 && signs.opener > 0 && !conversation ? toAutoReply(content, 'phrase-left', false) : null;
}

/** Whether the mail has the form of a person's reply: `Re:` and a quote. */
function isAnswering(mail: ParsedMail): boolean {
  return (
    /^\s{0,3}(?:re|aw|antw|sv|vs|odp|res|rif|回复|答复|返信)\s?[:：]/iu.test(mail.subject) &&
    mail.inReplyTo !== null &&
    /^\s{0,3}>/m.test(mail.text)
  );
}

/** Removes questions that absence notes contain, too: "Any questions? Please contact my colleague". */
function removeArrangement(text: string): string {
  return text
    .replace(/(?:any|further|urgent|fragen|questions?|preguntas?|dringend)[^.?!]{0,40}\?/gu, ' ')
    .replace(/https?:\/\/\S{1,400}/g, ' ');
}

/** Whether an automatic mail is about an absence. */
function isAbsence({ mail, folded }: MailText): boolean {
  const kind = getSubjectKind(mail.subject);
  if (kind === 'absence' || kind === 'named-absence') return true;
  const signs = countSigns(`${foldLine(mail.subject.slice(0, 300))} ${folded}`);
  if (signs.away > 0) return true;
  return signs.absence > 0 && (signs.received === 0 || signs.absence > 1);
}

function countSigns(text: string): Signs {
  let best: Signs | null = null;
  let points = 0;
  for (const patterns of languagePatterns()) {
    const signs = Object.fromEntries(SIGNS.map((sign) => [sign, countDistinct(text, patterns[sign])])) as Record<
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

/** Counts distinct matches up to 5. */
function countDistinct(text: string, pattern: RegExp): number {
  const found = new Set<string>();
  for (const [phrase] of text.matchAll(pattern)) {
    found.add(phrase);
    if (found.size >= 5) break;
  }
  return found.size;
}

function toAutoReply({ mail, written }: MailText, rule: string, away: boolean): AutoReply {
  if (!away) return { rule, kind: 'auto_reply', returnsOn: null };
  const sent = mail.date && { at: mail.date, offset: parseOffset(mail) };
  return {
    rule,
    kind: 'out_of_office',
    returnsOn: sent && findReturnDate(`${mail.subject.slice(0, 300)}. ${written}`, sent),
  };
}

/** Parses the minutes east of UTC in the Date header (RFC 5322, 3.3). */
function parseOffset(mail: ParsedMail): number | undefined {
  const [, sign, hours, minutes] = /([+-])(\d\d)(\d\d)\b/.exec(fold(mail.headers.get('date') ?? '').slice(0, 80)) ?? [];
  if (sign === undefined) return undefined;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
