import { getClosing, isDisclaimer, isSentFrom } from './closings';

/** Lines of a signature below its closing; a disclaimer may follow. */
const MOST_LINES = 12;
/** Characters of such a line: longer ones are sentences. */
const MOST_CHARS = 100;

const DELIMITER = /^(?:-- ?|[-—–_=*─]{1,40}\s{0,3})$/u;
const POSTSCRIPT = /^\s*(?:p\.? ?p?\.? ?s\.?|ps|nb|n\.b\.)\s?[:.\-–,)]? ?\p{L}/iu;
const TELEPHONE = /(?:^|[\s(:/|])\+?\(?\d[\d\s().\-/]{6,20}\d/;
const CONTACT: readonly RegExp[] = [
  TELEPHONE,
  /[^\s@<>]{1,64}@[^\s@<>]{1,80}\.[a-z]{2,24}/i,
  /\b(?:www\.|https?:\/\/)[^\s]{3,}/i,
  /^\s*(?:tel|telefon|telephone|phone|mobile?|mob|cell|fax|direct|office|handy|m|t|p|e|w|f)\s?[.:]/i,
];

/** What a person wrote, without and with what is below it on every letter of theirs. */
export interface Signed {
  readonly body: readonly string[];
  /** Null when there is none. */
  readonly signature: readonly string[] | null;
}

/**
 * Parts the lines of a person from the signature at their end. Cautious: what could be a sentence of theirs is theirs, and
 * so is all of it where nothing else would be left.
 */
export function signedLines(lines: readonly string[]): Signed {
  const start = signatureStart(lines);
  if (start === null) return { body: lines, signature: null };
  const below = lines.slice(start);
  const postscript = below.findIndex((line) => POSTSCRIPT.test(line.slice(0, MOST_CHARS)));
  const signature = postscript > 0 ? below.slice(0, postscript) : below;
  const body = [...lines.slice(0, start), ...(postscript > 0 ? ['', ...below.slice(postscript)] : [])];
  if (body.every((line) => line.trim() === '')) return { body: lines, signature: null };
  return { body, signature };
}

function signatureStart(lines: readonly string[]): number | null {
  const end = endOfLetter(lines);
  const found = [
    delimiterAt(lines, end),
    closingAt(lines, end),
    end < lines.length ? end : null,
    contactsAt(lines, end),
  ];
  return found.reduce((first, at) => (at !== null && (first === null || at < first) ? at : first), null);
}

/** Where disclaimers and what programs add begin: nothing of the writer follows them. */
function endOfLetter(lines: readonly string[]): number {
  let end = lines.length;
  const disclaimer = lines.findIndex((line, at) => at > 0 && isDisclaimer(line));
  if (disclaimer > 0) end = disclaimer;
  for (let at = end - 1; at >= 0 && at >= end - MOST_LINES; at -= 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    if (!isSentFrom(line)) break;
    end = at;
  }
  return end;
}

/** `-- ` (RFC 3676, 4.3), with or without its blank. */
function delimiterAt(lines: readonly string[], end: number): number | null {
  const at = lines.findIndex((line, index) => index < end && line.length <= 40 && DELIMITER.test(line));
  if (at < 0) return null;
  if (lines[at] === '-- ') return at;
  const below = lines.slice(at + 1, end).filter((line) => line.trim() !== '');
  const plausible = below.length <= MOST_LINES && below.every(isShort);
  // Drawn lines part sections as well: only over somebody's address are they a signature's.
  return plausible && (/^(?:--|—)$/.test(lines[at] ?? '') || below.some(isContact)) ? at : null;
}

/** The last closing with nothing but short lines below it. */
function closingAt(lines: readonly string[], end: number): number | null {
  let below = 0;
  for (let at = end - 1; at >= 0 && below <= MOST_LINES; at -= 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const closing = getClosing(line);
    if (closing === 'closing' || (closing === 'thanks' && below > 0)) return earlierClosing(lines, at);
    if (!isShort(line) && !POSTSCRIPT.test(line.slice(0, MOST_CHARS))) return null;
    below += 1;
  }
  return null;
}

/** "Thanks," above "Best regards," goes with it. */
function earlierClosing(lines: readonly string[], closing: number): number {
  for (let at = closing - 1; at >= 0 && at >= closing - 2; at -= 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    return getClosing(line) === 'closing' ? at : closing;
  }
  return closing;
}

/** A last paragraph of telephone numbers, addresses and links, for those who end without a closing. */
function contactsAt(lines: readonly string[], end: number): number | null {
  let last = end;
  while (last > 0 && (lines[last - 1] ?? '').trim() === '') last -= 1;
  let start = last;
  while (start > 0 && (lines[start - 1] ?? '').trim() !== '' && last - start <= MOST_LINES) start -= 1;
  if (start === 0 || last - start > MOST_LINES || last - start < 2) return null;
  const paragraph = lines.slice(start, last);
  if (!paragraph.every(isShort)) return null;
  return paragraph.filter(isContact).length >= 2 && !isContact(paragraph[0] ?? '') ? start : null;
}

function isContact(line: string): boolean {
  return CONTACT.some((sign) => sign.test(line));
}

/** Too short for a sentence, and no question. */
function isShort(line: string): boolean {
  if (line.length > MOST_CHARS || /[?？]\s*$/.test(line)) return false;
  const words = line.trim().split(/\s+/);
  return words.length <= 14 && !(words.length >= 7 && /\p{Ll}[.!]$/u.test(line.trimEnd()));
}
