import { decodeWords } from 'postal-mime';
import { type MailHeaders } from './parsed-mail';

/** UTF-16 units per field. */
const MAX_FIELD_CHARS = 8_192;

/** Fields per header. */
const MAX_FIELDS = 2_000;

/** Values by lower-case name; immutable. */
class Fields implements MailHeaders {
  private readonly values = new Map<string, string[]>();

  constructor(fields: Iterable<readonly [string, string]>) {
    let amount = 0;
    for (const [name, value] of fields) {
      if (++amount > MAX_FIELDS) break;
      const key = name.toLowerCase();
      const others = this.values.get(key);
      if (others) others.push(value);
      else this.values.set(key, [value]);
    }
  }

  get(name: string): string | null {
    return this.values.get(name.toLowerCase())?.[0] ?? null;
  }

  getAll(name: string): readonly string[] {
    return this.values.get(name.toLowerCase()) ?? [];
  }

  has(name: string): boolean {
    return this.values.has(name.toLowerCase());
  }

  names(): readonly string[] {
    return [...this.values.keys()];
  }
}

/** Creates headers from unfolded fields and decodes their values. */
export function createHeaders(fields: Iterable<readonly [string, string]>): MailHeaders {
  return new Fields(decodeFields(fields));
}

/** Reads header lines up to the first empty one; skips invalid lines. */
export function readHeaderBlock(text: string): MailHeaders {
  return createHeaders(parseFields(text));
}

/** Yields the fields of a header or report group, unfolded but not decoded, up to the first empty line. */
export function* parseFields(text: string): Generator<readonly [string, string]> {
  let name = '';
  let value = '';
  for (const line of text.split(/\r?\n/, 4 * MAX_FIELDS)) {
    if (line === '') break;
    if (name !== '' && (line.startsWith(' ') || line.startsWith('\t'))) {
      if (value.length < MAX_FIELD_CHARS) value += ` ${line.trim()}`;
      continue;
    }
    if (name !== '') yield [name, value];
    const field = /^([!-9;-~]{1,80})[ \t]*:/.exec(line);
    name = field?.[1] ?? '';
    value = field ? line.slice(field[0].length).trim() : '';
  }
  if (name !== '') yield [name, value];
}

function* decodeFields(fields: Iterable<readonly [string, string]>): Generator<readonly [string, string]> {
  for (const [name, value] of fields) yield [name, decodeValue(value)];
}

/** Decodes RFC 2047 and removes control characters and line separators. */
export function decodeValue(value: string): string {
  const short = value.length > MAX_FIELD_CHARS ? value.slice(0, MAX_FIELD_CHARS) : value;
  const text = short.includes('=?') ? decodeWords(short) : short;
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

/** Parses the Message-IDs in a field; adds missing angle brackets. */
export function parseMessageIds(field: string | null): string[] {
  const written = (field ?? '').trim();
  if (written === '') return [];
  const bracketed = written.match(/<[^<>\s]{1,998}>/g);
  if (bracketed) return bracketed.slice(-200);
  const [bare = ''] = written.replaceAll(/[<>]/g, ' ').trim().split(/\s+/, 1);
  return bare.includes('@') ? [`<${bare}>`] : [];
}
