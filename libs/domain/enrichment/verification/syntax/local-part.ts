import { type Scanner } from './scanner';
import { isWhite, readFolding, readOldControls, readQuotedPair, readSpacing } from './white-space';

export interface LocalPart {
  /** The content without quotes and backslashes. */
  readonly content: string;
  /** The form in SMTP: a dot-string, or one quoted string as given. */
  readonly smtpForm: string;
  readonly isQuoted: boolean;
}

interface LocalPartSegment {
  readonly content: string;
  readonly smtpForm: string;
  readonly isQuoted: boolean;
}

/** RFC 5322 `atext`, and RFC 6531, section 3.3: visible non-ASCII characters. */
const ATOM = /(?:[\w!#$%&'*+/=?^`{|}~-]|[^\p{ASCII}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}])+/uy;
/** RFC 5321 `qtextSMTP`, and RFC 6531. */
const QUOTED_TEXT = /(?:[ !#-[\]-~]|[^\p{ASCII}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}])+/uy;
const BEYOND_ASCII = /[^\p{ASCII}]/u;
/** A combining mark without its base letter would join the preceding character. */
const BEGINS_WITH_MARK = /^\p{M}/u;
/** Any valid dot-string (RFC 5321, section 4.1.2), in any script. */
const DOT_STRING = /^[^\s"(),:;<>@[\\\].]+(?:\.[^\s"(),:;<>@[\\\].]+)*$/u;

/** Reads up to and including the `@`. @returns null for an invalid local part */
export function readLocalPart(scanner: Scanner): LocalPart | null {
  const segments: LocalPartSegment[] = [];
  do {
    const segment = readSegment(scanner, segments.length);
    if (segment === null) return null;
    segments.push(segment);
  } while (scanner.skip('.'));
  if (!scanner.skip('@')) return scanner.fail('no_at');
  const isQuoted = segments.some((segment) => segment.isQuoted);
  if (isQuoted && segments.length > 1) scanner.note('obsolete_local_part');
  const content = segments.map((segment) => segment.content).join('.');
  if (BEGINS_WITH_MARK.test(content)) return scanner.fail('local_character');
  return { content, smtpForm: segments.map((segment) => segment.smtpForm).join('.'), isQuoted };
}

/**
 * The SMTP form with no more quotes and backslashes than needed (RFC 5321, section 4.1.2: both forms name one mailbox).
 */
export function toSmtpForm(content: string): string {
  return DOT_STRING.test(content) ? content : `"${content.replace(/["\\]/g, '\\$&')}"`;
}

/** @param before number of segments read so far */
function readSegment(scanner: Scanner, before: number): LocalPartSegment | null {
  const isSpaced = readSpacing(scanner);
  if (isSpaced === null) return null;
  const segment = scanner.next === '"' ? readQuotedString(scanner) : readAtom(scanner, before);
  if (segment === null) return null;
  const isSpacedAfter = readSpacing(scanner);
  if (isSpacedAfter === null) return null;
  if ((isSpaced && before > 0) || (isSpacedAfter && scanner.next === '.')) scanner.note('obsolete_spacing');
  if (['.', '@', ''].includes(scanner.next)) return segment;
  if (isSpacedAfter) return scanner.failAtCharacter('text_after_space');
  return scanner.failAtCharacter(segment.isQuoted ? 'text_after_quote' : 'local_character');
}

function readAtom(scanner: Scanner, before: number): LocalPartSegment | null {
  const atom = scanner.take(ATOM);
  if (atom !== '') return { content: atom, smtpForm: atom, isQuoted: false };
  if (scanner.next === '' && before === 0) return scanner.fail(scanner.text === '' ? 'empty' : 'no_at');
  if (scanner.next === '@' && before === 0) return scanner.fail('no_local_part');
  return ['.', '@', ''].includes(scanner.next)
    ? scanner.fail('local_dots')
    : scanner.failAtCharacter('local_character');
}

function readQuotedString(scanner: Scanner): LocalPartSegment | null {
  const start = scanner.at;
  const parts: string[] = [];
  scanner.skip('"');
  while (!scanner.skip('"')) {
    const part = readInQuotes(scanner);
    if (part === null) return null;
    parts.push(part);
  }
  return { content: parts.join(''), smtpForm: scanner.text.slice(start, scanner.at), isQuoted: true };
}

function readInQuotes(scanner: Scanner): string | null {
  if (scanner.next === '') return scanner.fail('unclosed_quote');
  if (scanner.next === '\\') return readPairInQuotes(scanner);
  const text = scanner.take(QUOTED_TEXT);
  if (text !== '') return text;
  // A tab or a line end; a space is text. Unfolding keeps the white space of the next line.
  if (isWhite(scanner.next)) return readFolding(scanner) === null ? null : ' ';
  return readOldControls(scanner) || scanner.failAtCharacter('hidden_character');
}

/** RFC 5321 allows a backslash before printable ASCII only; RFC 6532 before other characters in headers, too. */
function readPairInQuotes(scanner: Scanner): string | null {
  const character = readQuotedPair(scanner);
  if (character !== null && (character === '\t' || BEYOND_ASCII.test(character))) scanner.note('quoted_pair');
  return character;
}
