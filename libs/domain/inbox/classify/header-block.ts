import { decodeWords } from 'postal-mime';
import { type MailHeaders } from './parsed-mail';

/** UTF-16 units that are kept of one field. */
const FIELD_CHARS = 8_192;

/** Fields that are kept. */
const MOST_FIELDS = 2_000;

/** Values by lower-case name. Built once, never changed. */
class Fields implements MailHeaders {
  private readonly values = new Map<string, string[]>();

  constructor(fields: Iterable<readonly [string, string]>) {
    let amount = 0;
    for (const [name, value] of fields) {
      if (++amount > MOST_FIELDS) break;
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

/** Headers from fields that are unfolded already. Values are decoded here. */
export function createHeaders(fields: Iterable<readonly [string, string]>): MailHeaders {
  return new Fields(decoded(fields));
}

/** Reads header lines up to the first empty one. What is no field is passed over. */
export function readHeaderBlock(text: string): MailHeaders {
  return createHeaders(parseFields(text));
}

/** Fields of a header or of a group of a report, unfolded, undecoded. Ends with the first empty line. */
export function* parseFields(text: string): Generator<readonly [string, string]> {
  let name = '';
  let value = '';
  for (const line of text.split(/\r?\n/, 4 * MOST_FIELDS)) {
    if (line === '') break;
    if (name !== '' && (line.startsWith(' ') || line.startsWith('\t'))) {
      if (value.length < FIELD_CHARS) value += ` ${line.trim()}`;
      continue;
    }
    if (name !== '') yield [name, value];
    const field = /^([!-9;-~]{1,80})[ \t]*:/.exec(line);
    name = field?.[1] ?? '';
    value = field ? line.slice(field[0].length).trim() : '';
  }
  if (name !== '') yield [name, value];
}

function* decoded(fields: Iterable<readonly [string, string]>): Generator<readonly [string, string]> {
  for (const [name, value] of fields) yield [name, decodeValue(value)];
}

/** RFC 2047, and without what could pass for a line's end. */
export function decodeValue(value: string): string {
  const short = value.length > FIELD_CHARS ? value.slice(0, FIELD_CHARS) : value;
  const words = short.includes('=?') ? decodeWords(short) : short;
  return words
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}

/** Message-IDs in a field, with angle brackets; one without, as some programs write it, is given them. */
export function parseMessageIds(field: string | null): string[] {
  const written = (field ?? '').trim();
  if (written === '') return [];
  const bracketed = written.match(/<[^<>\s]{1,998}>/g);
  if (bracketed) return bracketed.slice(-200);
  const [bare = ''] = written.replaceAll(/[<>]/g, ' ').trim().split(/\s+/, 1);
  return bare.includes('@') ? [`<${bare}>`] : [];
}
