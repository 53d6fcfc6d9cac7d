import { type WarmupLanguage } from '../schemas/warmup.record';
import { getLanguage } from './language-detection';
import { findSpamWord } from './spam-words';
import { MAX_MESSAGES, type ThreadScript } from './thread-script';

/** Words of a body: with greeting, wishes and signature (4 to 28 more) a mail has 15 to 120. */
const BODY_LENGTH = { least: 11, most: 90 };
const SUBJECT_LENGTH = { leastChars: 4, mostChars: 80, mostWords: 12 };

/** Unfilled placeholders. */
const PLACEHOLDER = /[{}[\]<>|]|\bX{2,}\b|_{2,}|\.{4,}/;
/** Addresses, hosts, and `word.word`, which mail programs turn into a link. */
const LINK = /https?:|www\.|@|\p{L}{2,}\.\p{L}{2,}/iu;
const MONEY = /[$€£¥%]/;
const LOUD = /!\s*!|\?\s*\?|\p{Lu}{5,}/u;
/** Two punctuation marks in a row, or one without preceding text. */
const EMPTY_SENTENCE = /[.!?]\s*[.,;]|(?:^|\n)\s*[.,;!?]|,\s*,/;
/** Control characters except the line feed, and invisible characters. */
const UNSEEN = /(?!\n)\p{Cc}|[\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]/u;

/** Finds the reason why a text must not be sent; null without one. */
export function findMailTextFault(text: string, language: WarmupLanguage): string | null {
  if (!text.isWellFormed() || UNSEEN.test(text)) return 'invisible characters';
  if (PLACEHOLDER.test(text)) return 'a placeholder';
  if (LINK.test(text)) return 'a link or an address';
  if (MONEY.test(text)) return 'money or a percentage';
  if (LOUD.test(text)) return 'shouting';
  if (EMPTY_SENTENCE.test(text)) return 'an empty sentence';
  const word = findSpamWord(text, language);
  return word === null ? null : `the word ${word.toLowerCase()}`;
}

/** Finds the reason why an unreviewed script, such as that of a model, must not be sent; null without one. */
export function findScriptFault({ subject, bodies }: ThreadScript, language: WarmupLanguage): string | null {
  if (bodies.length !== MAX_MESSAGES) return `${bodies.length} mails instead of ${MAX_MESSAGES}`;
  const fault = findSubjectFault(subject) ?? findMailTextFault(subject, language);
  if (fault !== null) return `the subject: ${fault}`;
  for (const [position, body] of bodies.entries()) {
    const wrong = findBodyFault(body) ?? findMailTextFault(body, language);
    if (wrong !== null) return `mail ${position + 1}: ${wrong}`;
  }
  if (new Set(bodies).size < MAX_MESSAGES) return 'a repeated mail';
  return getLanguage(bodies.join(' ')) === language ? null : 'another language';
}

/** Counts the words of a text. */
export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}][\p{L}\p{N}'’:.-]*/gu)?.length ?? 0;
}

function findSubjectFault(subject: string): string | null {
  const { leastChars, mostChars, mostWords } = SUBJECT_LENGTH;
  if (subject.length < leastChars || subject.length > mostChars || countWords(subject) > mostWords) return 'its length';
  if (/^(?:re|aw|antw|res|rif|r|fwd?|wg|tr|rv|enc|i)\s?:/i.test(subject)) return 'a reply prefix';
  return subject.includes('\n') ? 'more than one line' : null;
}

function findBodyFault(body: string): string | null {
  const words = countWords(body);
  if (words < BODY_LENGTH.least || words > BODY_LENGTH.most) return `${words} words`;
  if (/^[^\n.!?]{1,40}[,:!]\s*\n/.test(body)) return 'a greeting';
  return /[.!?]$/.test(body) ? null : 'a signature, or an incomplete sentence';
}
