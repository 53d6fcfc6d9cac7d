/**
 * Finds one string field of a JSON object that arrives in chunks and decodes its base64url value chunk by chunk, so that an attachment of
 * 25 MB is never in memory as text. Ends after the field, or with the object if the field is missing; throws when the input ends earlier.
 */
export async function* base64Field(input: AsyncIterable<Buffer>, field: string): AsyncGenerator<Buffer> {
  const reader = new FieldReader(field);
  let remaining = '';
  for await (const chunk of input) {
    const text = remaining + reader.read(chunk);
    // Four characters are three bytes; the remainder waits for the next chunk.
    const whole = reader.isDone ? text.length : text.length - (text.length % 4);
    remaining = text.slice(whole);
    if (whole > 0) yield Buffer.from(text.slice(0, whole), 'base64url');
    if (reader.isDone) return;
  }
  // Gmail omits empty values.
  if (reader.isWhole) return;
  throw new Error(`The response ended before the field ${field} was complete`);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = new Set([0x7b, 0x5b]);
const CLOSE = new Set([0x7d, 0x5d]);

/** A JSON scanner for strings and depth only: the field is a member of the outermost object. */
class FieldReader {
  isDone = false;
  readonly #field: string;
  #depth = 0;
  #hasBegun = false;
  #inString = false;
  #escape = '';
  #text = '';
  /** The last string at depth 1, which is a key if a colon follows. */
  #key = '';
  #isValue = false;

  constructor(field: string) {
    this.#field = field;
  }

  /** The characters of the field's value in this chunk, without those that base64url lacks. */
  read(chunk: Buffer): string {
    const pieces: string[] = [];
    for (let at = 0; at < chunk.length && !this.isDone; at++) {
      if (this.#inString && this.#escape === '' && this.#isTarget) {
        // The long run of the value: characters are not examined one by one.
        const start = at;
        at = findRunEnd(chunk, at);
        pieces.push(chunk.toString('latin1', start, at));
        if (at === chunk.length) break;
      }
      const extra = this.#step(chunk[at] as number);
      if (extra) pieces.push(extra);
    }
    return pieces.join('').replaceAll(/[^\w-]/g, '');
  }

  /** The object has ended. */
  get isWhole(): boolean {
    return this.#hasBegun && this.#depth === 0;
  }

  get #isTarget(): boolean {
    return this.#depth === 1 && this.#isValue && this.#key === this.#field;
  }

  #step(byte: number): string {
    if (this.#escape !== '') return this.#escaped(byte);
    if (!this.#inString) this.#outside(byte);
    else if (byte === BACKSLASH) this.#escape = '\\';
    else if (byte === QUOTE) this.#endString();
    else if (this.#depth === 1 && !this.#isValue && this.#text.length < 64) this.#text += String.fromCharCode(byte);
    return '';
  }

  /** Only escapes such as `\u002d` can encode a character of base64url. */
  #escaped(byte: number): string {
    this.#escape += String.fromCharCode(byte);
    if (this.#escape[1] === 'u' && this.#escape.length < 6) return '';
    const character = this.#escape[1] === 'u' ? String.fromCharCode(Number.parseInt(this.#escape.slice(2), 16)) : '';
    this.#escape = '';
    return this.#isTarget ? character : '';
  }

  #outside(byte: number): void {
    if (byte === QUOTE) this.#inString = true;
    else if (OPEN.has(byte)) {
      this.#depth += 1;
      this.#hasBegun = true;
    } else if (CLOSE.has(byte)) this.#depth -= 1;
    else if (byte === 0x3a && this.#depth === 1) this.#isValue = true;
    else if (byte === 0x2c && this.#depth === 1) this.#isValue = false;
  }

  #endString(): void {
    if (this.#isTarget) this.isDone = true;
    if (this.#depth === 1 && !this.#isValue) this.#key = this.#text;
    this.#text = '';
    this.#inString = false;
  }
}

/** The position of the quote or backslash that ends the run, or the end of the chunk. */
function findRunEnd(chunk: Buffer, from: number): number {
  const quote = chunk.indexOf(QUOTE, from);
  const end = quote === -1 ? chunk.length : quote;
  const backslash = chunk.subarray(from, end).indexOf(BACKSLASH);
  return backslash === -1 ? end : from + backslash;
}
