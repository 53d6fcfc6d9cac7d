import { MAX_NAME_LENGTH } from './spf-name';
import { SpfSyntaxError } from './spf-syntax.errors';

/**
 * `s` sender, `l` its local part, `o` its domain, `d` current domain, `i` address with dots, `p` validated name of the address,
 * `v` "in-addr" or "ip6", `h` HELO name; in explanations only: `c` readable address, `r` receiving host, `t` seconds since 1970
 * (RFC 7208, section 7.2).
 */
export type MacroLetter = 's' | 'l' | 'o' | 'd' | 'i' | 'p' | 'v' | 'h' | 'c' | 'r' | 't';

export interface LiteralPart {
  readonly kind: 'literal';
  readonly text: string;
}

/** "%%" is a percent sign, "%_" a space, "%-" an URL-encoded space. */
export interface EscapePart {
  readonly kind: 'escape';
  readonly sign: '%' | '_' | '-';
}

export interface MacroPart {
  readonly kind: 'macro';
  readonly letter: MacroLetter;
  /** Upper case: the value is URL-escaped. */
  readonly escaped: boolean;
  /** Number of parts to keep, counted from the right; null: all. */
  readonly keep: number | null;
  readonly reversed: boolean;
  /** Delimiters; empty: dots. */
  readonly delimiters: string;
}

/** Literals and macros, as written. */
export type MacroString = readonly (LiteralPart | EscapePart | MacroPart)[];

/** Value of each letter. */
export type MacroValues = (letter: MacroLetter) => string;

/** `term`: no `c`, `r`, `t`; `modifier`: all letters; `explanation`: all letters and spaces. */
export type MacroPlace = 'term' | 'modifier' | 'explanation';

const MACRO = /\{([slodipvhcrt])(\d*)(r?)([-.+,/_=]*)\}/iy;
const EXPLANATION_MACROS: ReadonlySet<string> = new Set(['c', 'r', 't']);
/** More parts than any value has: larger numbers mean the same. RFC 7208 requires at least 127. */
const MOST_PARTS = 9_999;

/**
 * Parses a macro-string or explain-string (RFC 7208, section 7.1).
 * @param from offset of the text in the record, for the position of a fault
 * @throws SpfSyntaxFault
 */
export function parseMacros(text: string, place: MacroPlace, from = 0): MacroString {
  const parts: (LiteralPart | EscapePart | MacroPart)[] = [];
  for (let at = 0; at < text.length;) {
    const percent = text.indexOf('%', at);
    const end = percent === -1 ? text.length : percent;
    if (end > at) parts.push(parseLiteral(text.slice(at, end), place, from + at));
    if (percent === -1) break;
    const { part, length } = parseMacro(text, percent, place, from);
    parts.push(part);
    at = percent + length;
  }
  return parts;
}

/** Whether it contains one of the letters. */
export function hasMacro(parts: MacroString, macros: string): boolean {
  return parts.some((part) => part.kind === 'macro' && macros.includes(part.letter));
}

/**
 * Expands the macros (RFC 7208, section 7.3).
 * @param most useful characters: expansion ends beyond them
 */
export function expandText(parts: MacroString, values: MacroValues, most: number): string {
  let text = '';
  for (const part of parts) {
    text += expandPart(part, values);
    if (text.length > most) return text.slice(0, most);
  }
  return text;
}

/**
 * Expands from the right, at least the last 254 characters: cutting to whole labels (`getTargetName`) then gives the same result.
 */
export function expandName(parts: MacroString, values: MacroValues): string {
  let name = '';
  for (let index = parts.length - 1; index >= 0 && name.length <= MAX_NAME_LENGTH + 1; index -= 1) {
    const part = parts[index];
    if (part) name = expandPart(part, values) + name;
  }
  return name;
}

function parseLiteral(text: string, place: MacroPlace, at: number): LiteralPart {
  const wrong = place === 'explanation' ? /[^\x20-\x7e]/.exec(text) : /[^\x21-\x7e]/.exec(text);
  if (wrong) throw new SpfSyntaxError('is not printable ASCII', at + wrong.index);
  return { kind: 'literal', text };
}

function parseMacro(
  text: string,
  percent: number,
  place: MacroPlace,
  from: number,
): { readonly part: EscapePart | MacroPart; readonly length: number } {
  const next = text[percent + 1];
  if (next === '%' || next === '_' || next === '-') return { part: { kind: 'escape', sign: next }, length: 2 };
  MACRO.lastIndex = percent + 1;
  const found = MACRO.exec(text);
  if (!found) {
    const message = 'a "%" begins a macro such as "%{d}", or is written "%%" to stand for itself';
    throw new SpfSyntaxError(message, from + percent);
  }
  const [whole, letter = '', digits = '', reverse = '', delimiters = ''] = found;
  const keep = digits === '' ? null : Math.min(Number(digits), MOST_PARTS);
  if (keep === 0) throw new SpfSyntaxError('a macro cannot keep 0 parts', from + percent);
  const lower = letter.toLowerCase() as MacroLetter;
  if (place === 'term' && EXPLANATION_MACROS.has(lower)) {
    throw new SpfSyntaxError(`the macro "%{${letter}}" is for explanation texts only`, from + percent);
  }
  const part = { kind: 'macro', letter: lower, escaped: letter !== lower, keep, reversed: reverse !== '', delimiters };
  return { part: part as MacroPart, length: whole.length + 1 };
}

function expandPart(part: MacroString[number], values: MacroValues): string {
  if (part.kind === 'literal') return part.text;
  if (part.kind === 'escape') return { '%': '%', _: ' ', '-': '%20' }[part.sign];
  const value = transform(values(part.letter), part);
  return part.escaped ? escapeUrl(value) : value;
}

/** Empty parts count: leading, trailing and repeated delimiters are not special (RFC 7208, section 7.3). */
function transform(value: string, { keep, reversed, delimiters }: MacroPart): string {
  if (keep === null && !reversed && delimiters === '') return value;
  const separators = delimiters === '' ? '.' : delimiters;
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at <= value.length; at += 1) {
    if (at < value.length && !separators.includes(value.charAt(at))) continue;
    parts.push(value.slice(start, at));
    start = at + 1;
  }
  const ordered = reversed ? parts.toReversed() : parts;
  return (keep === null ? ordered : ordered.slice(-keep)).join('.');
}

/** Escapes all but the unreserved characters of RFC 3986, section 2.3, as octets of UTF-8. */
function escapeUrl(value: string): string {
  return Array.from(Buffer.from(value, 'utf8'), (octet) => {
    const character = String.fromCharCode(octet);
    return /[A-Za-z0-9\-._~]/.test(character) ? character : `%${octet.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
