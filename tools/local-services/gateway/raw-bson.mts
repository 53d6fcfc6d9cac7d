/**
 * Reads the top level of a BSON document without decoding its values: a gateway passes documents on, and decoding
 * and encoding them again would cost time and could change them.
 */
export interface RawElement {
  name: string;
  type: number;
  /** Of the type byte. */
  start: number;
  /** Of the value, after the name. */
  value: number;
  end: number;
}

const FIXED_SIZES: Record<number, number> = {
  0x01: 8, // double
  0x06: 0, // undefined
  0x07: 12, // ObjectId
  0x08: 1, // boolean
  0x09: 8, // date
  0x0a: 0, // null
  0x10: 4, // int32
  0x11: 8, // timestamp
  0x12: 8, // int64
  0x13: 16, // decimal128
  0x7f: 0, // MaxKey
  0xff: 0, // MinKey
};

function valueEnd(bytes: Buffer, type: number, at: number): number {
  const fixed = FIXED_SIZES[type];
  if (fixed !== undefined) return at + fixed;
  switch (type) {
    case 0x02: // string
    case 0x0d: // code
    case 0x0e: // symbol
      return at + 4 + bytes.readInt32LE(at);
    case 0x03: // document
    case 0x04: // array
    case 0x0f: // code with scope
      return at + bytes.readInt32LE(at);
    case 0x05: // binary
      return at + 5 + bytes.readInt32LE(at);
    case 0x0b: // regular expression: two C strings
      return bytes.indexOf(0, bytes.indexOf(0, at) + 1) + 1;
    case 0x0c: // DBPointer
      return at + 4 + bytes.readInt32LE(at) + 12;
    default:
      throw new Error(`unknown BSON type 0x${type.toString(16)}`);
  }
}

export function elements(bytes: Buffer, offset = 0): RawElement[] {
  const end = offset + bytes.readInt32LE(offset) - 1;
  if (end >= bytes.length || end < offset + 4) throw new Error('BSON document with a wrong length');
  const found: RawElement[] = [];
  for (let at = offset + 4; at < end;) {
    const nameEnd = bytes.indexOf(0, at + 1);
    const type = bytes[at] ?? 0;
    const next = valueEnd(bytes, type, nameEnd + 1);
    if (next > end || next <= at) throw new Error('BSON element that leaves its document');
    found.push({ name: bytes.toString('utf8', at + 1, nameEnd), type, start: at, value: nameEnd + 1, end: next });
    at = next;
  }
  return found;
}

/** The document made of these elements of `bytes`, and of `extra` (already encoded elements). */
export function assemble(bytes: Buffer, kept: RawElement[], extra: Buffer[] = []): Buffer {
  const parts = [...kept.map(({ start, end }) => bytes.subarray(start, end)), ...extra];
  const size = parts.reduce((sum, part) => sum + part.length, 5);
  const head = Buffer.alloc(4);
  head.writeInt32LE(size);
  return Buffer.concat([head, ...parts, Buffer.alloc(1)], size);
}

/** A sequence of documents as the elements of one array: `name: [documents]`. */
export function arrayElement(name: string, documents: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (const [index, document] of splitDocuments(documents).entries()) {
    parts.push(Buffer.from(`\x03${index}\0`, 'latin1'), document);
  }
  const size = parts.reduce((sum, part) => sum + part.length, 5);
  const head = Buffer.alloc(4);
  head.writeInt32LE(size);
  return Buffer.concat([Buffer.from(`\x04${name}\0`), head, ...parts, Buffer.alloc(1)]);
}

export function splitDocuments(documents: Buffer): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < documents.length;) {
    const size = documents.readInt32LE(at);
    if (size < 5 || at + size > documents.length) throw new Error('document sequence with a wrong length');
    found.push(documents.subarray(at, at + size));
    at += size;
  }
  return found;
}

/** A number of any of BSON's numeric types, as bigint; undefined for anything else. */
export function integerAt(bytes: Buffer, element: RawElement | undefined): bigint | undefined {
  if (element?.type === 0x10) return BigInt(bytes.readInt32LE(element.value));
  if (element?.type === 0x12) return bytes.readBigInt64LE(element.value);
  if (element?.type === 0x01) return BigInt(Math.trunc(bytes.readDoubleLE(element.value)));
  return undefined;
}

export function stringAt(bytes: Buffer, element: RawElement | undefined): string | undefined {
  if (element?.type !== 0x02) return undefined;
  return bytes.toString('utf8', element.value + 4, element.end - 1);
}

export function booleanAt(bytes: Buffer, element: RawElement | undefined): boolean | undefined {
  return element?.type === 0x08 ? bytes[element.value] === 1 : undefined;
}

/** `cursor.id` of a reply, without decoding its batch. */
export function parseCursorId(reply: Buffer): bigint {
  const cursor = elements(reply).find(({ name }) => name === 'cursor');
  if (!cursor) return 0n;
  const id = elements(reply, cursor.value).find(({ name }) => name === 'id');
  return integerAt(reply, id) ?? 0n;
}
