import { findClosing, isDisclaimer, isSentFrom } from './closings';

/** Lines of a signature after its closing; a disclaimer may follow. */
const MAX_LINES = 12;
/** Characters of a signature line: longer ones are sentences. */
const MAX_CHARS = 100;

const DELIMITER = /^(?:-- ?|[-—–_=*─]{1,40}\s{0,3})$/u;
const POSTSCRIPT = /^\s*(?:p\.? ?p?\.? ?s\.?|ps|nb|n\.b\.)\s?[:.\-–,)]? ?\p{L}/iu;
const TELEPHONE = /(?:^|[\s(:/|])\+?\(?\d[\d\s().\-/]{6,20}\d/;
const CONTACT: readonly RegExp[] = [
  TELEPHONE,
  /[^\s@<>]{1,64}@[^\s@<>]{1,80}\.[a-z]{2,24}/i,
  /\b(?:www\.|https?:\/\/)[^\s]{3,}/i,
  /^\s*(?:tel|telefon|telephone|phone|mobile?|mob|cell|fax|direct|office|handy|m|t|p|e|w|f)\s?[.:]/i,
];

/** A text, split into body and signature. */
export interface SignatureSplit {
  readonly body: readonly string[];
  /** null when there is none. */
  readonly signature: readonly string[] | null;
}

/**
 * Splits a text from the signature at its end. Cautious: a line that may be a sentence belongs to the body, and so does
 * everything when no body would remain.
 */
export function splitSignature(lines: readonly string[]): SignatureSplit {
  const start = findSignatureStart(lines);
  if (start === null) return { body: lines, signature: null };
  const below = lines.slice(start);
  const postscript = below.findIndex((line) => POSTSCRIPT.test(line.slice(0, MAX_CHARS)));
  const signature = postscript > 0 ? below.slice(0, postscript) : below;
  const body = [...lines.slice(0, start), ...(postscript > 0 ? ['', ...below.slice(postscript)] : [])];
  if (body.every((line) => line.trim() === '')) return { body: lines, signature: null };
  return { body, signature };
}

function findSignatureStart(lines: readonly string[]): number | null {
  const end = findBodyEnd(lines);
  const found = [
    findDelimiter(lines, end),
    findClosingLine(lines, end),
    end < lines.length ? end : null,
    findContacts(lines, end),
  ];
  return found.reduce((first, at) => (at !== null && (first === null || at < first) ? at : first), null);
}

/** Returns where disclaimers and lines added by programs begin: no text of the author follows them. */
function findBodyEnd(lines: readonly string[]): number {
  let end = lines.length;
  const disclaimer = lines.findIndex((line, at) => at > 0 && isDisclaimer(line));
  if (disclaimer > 0) end = disclaimer;
  for (let at = end - 1; at >= 0 && at >= end - MAX_LINES; at -= 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    if (!isSentFrom(line)) break;
    end = at;
  }
  return end;
}

/** Finds `-- ` (RFC 3676, 4.3), with or without its blank. */
function findDelimiter(lines: readonly string[], end: number): number | null {
  const at = lines.findIndex((line, index) => index < end && line.length <= 40 && DELIMITER.test(line));
  if (at < 0) return null;
  if (lines[at] === '-- ') return at;
  const below = lines.slice(at + 1, end).filter((line) => line.trim() !== '');
  const plausible = below.length <= MAX_LINES && below.every(isShort);
  // Rules also separate sections: one belongs to a signature only above contact data.
  return plausible && (/^(?:--|—)$/.test(lines[at] ?? '') || below.some(isContact)) ? at : null;
}

/** Finds the last closing with only short lines below. */
function findClosingLine(lines: readonly string[], end: number): number | null {
  let below = 0;
  for (let at = end - 1; at >= 0 && below <= MAX_LINES; at -= 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const closing = findClosing(line);
    if (closing === 'closing' || (closing === 'thanks' && below > 0)) return findFirstClosing(lines, at);
    if (!isShort(line) && !POSTSCRIPT.test(line.slice(0, MAX_CHARS))) return null;
    below += 1;
  }
  return null;
}

/** Includes "Thanks," above "Best regards,". */
function findFirstClosing(lines: readonly string[], closing: number): number {
  for (let at = closing - 1; at >= 0 && at >= closing - 2; at -= 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    return findClosing(line) === 'closing' ? at : closing;
  }
  return closing;
}

/** Finds a last paragraph of phone numbers, addresses and links, for texts without a closing. */
function findContacts(lines: readonly string[], end: number): number | null {
  let last = end;
  while (last > 0 && (lines[last - 1] ?? '').trim() === '') last -= 1;
  let start = last;
  while (start > 0 && (lines[start - 1] ?? '').trim() !== '' && last - start <= MAX_LINES) start -= 1;
  if (start === 0 || last - start > MAX_LINES || last - start < 2) return null;
  const paragraph = lines.slice(start, last);
  if (!paragraph.every(isShort)) return null;
  return paragraph.filter(isContact).length >= 2 && !isContact(paragraph[0] ?? '') ? start : null;
}

function isContact(line: string): boolean {
  return CONTACT.some((sign) => sign.test(line));
}

/** Whether a line is too short for a sentence, and no question. */
function isShort(line: string): boolean {
  if (line.length > MAX_CHARS || /[?？]\s*$/.test(line)) return false;
  const terms = line.trim().split(/\s+/);
  return terms.length <= 14 && !(terms.length >= 7 && /\p{Ll}[.!]$/u.test(line.trimEnd()));
}
