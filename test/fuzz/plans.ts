import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { hostileText, hostileValue } from './hostile';

/** The differences between a request and a valid one; the valid parts are added when it is sent. */
export interface Plan {
  /** For each path parameter in order. */
  ids: ('own' | 'theirs' | { text: string })[];
  /** Index of the known parameter, and its value; undefined keeps the valid value. */
  query: { at: number; text: string; twice: boolean }[];
  strangeQuery: string[];
  /** Values for fields of the body, by their index. */
  values: { at: number; value: unknown }[];
  dropped: number[];
  added: { name: string; value: unknown }[];
  encoding: BodyEncoding;
  headers: Record<string, string>;
}

/** Modification of the bytes of the body. */
type BodyEncoding = (typeof BODY_ENCODINGS)[number];

const BODY_ENCODINGS = [
  'as it is', 'cut', 'twice', 'with a byte order mark', 'UTF-16', 'Latin-1', 'zipped', 'said to be zipped', 'a bomb', 'a number',
  'each field twice', 'as a form', 'in parts', 'none', 'too large', 'not UTF-8',
] as const; // prettier-ignore

const id = fc.oneof(
  { weight: 6, arbitrary: fc.constant('own' as const) },
  { weight: 1, arbitrary: fc.constant('theirs' as const) },
  { weight: 2, arbitrary: hostileText.map((text) => ({ text })) },
);

const STRANGE_QUERIES = [
  'a[$ne]=1',
  '__proto__[x]=1',
  'constructor=1',
  '$where=1',
  '=',
  '&&&',
  '%',
  '%00=%00',
  'toString=1',
  'limit=1;x',
];

/** Characters that a client can send in a header. */
const headerText = hostileText.map((text) =>
  text
    .replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 4_000)
    .trim(),
);

const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Record<string, string>>({}) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'Idempotency-Key', 'X-Request-Id', 'Accept', 'Accept-Language', 'Accept-Encoding', 'X-Forwarded-For', 'X-Forwarded-Host',
          'X-HTTP-Method-Override', 'If-None-Match', 'Range', 'Cookie', 'User-Agent', 'Referer', 'Origin', 'X-Workspace-Id',
          'Authorization', 'Content-Type', 'Content-Encoding',
        ), // prettier-ignore
        headerText,
      )
      .map(([name, text]): Record<string, string> => ({ [name]: text })),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(
        'application/json; charset=utf-7',
        'application/json; charset=x',
        'application/json;',
        'text/plain',
        'multipart/form-data',
        'application/x-www-form-urlencoded',
        'application/xml',
        'application/json, text/csv',
        'APPLICATION/JSON',
      ) // prettier-ignore
      .map((type): Record<string, string> => ({ 'Content-Type': type })),
  },
);

const place = fc.nat({ max: 200 });

export const plan: fc.Arbitrary<Plan> = fc.record({
  ids: fc.array(id, { minLength: 3, maxLength: 3 }),
  query: fc.array(fc.record({ at: place, text: hostileText, twice: fc.boolean() }), { maxLength: 2 }),
  strangeQuery: fc.oneof(
    { weight: 5, arbitrary: fc.constant([] as string[]) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom(...STRANGE_QUERIES), { minLength: 1, maxLength: 2 }) },
  ),
  values: fc.array(fc.record({ at: place, value: hostileValue }), { minLength: 0, maxLength: 3 }),
  dropped: fc.oneof({ weight: 4, arbitrary: fc.constant([] as number[]) }, fc.array(place, { maxLength: 2 })),
  added: fc.oneof(
    { weight: 8, arbitrary: fc.constant([] as Plan['added']) },
    fc.array(fc.record({ name: hostileText.map((text) => text.slice(0, 100)), value: hostileValue }), { maxLength: 2 }),
  ),
  encoding: fc.oneof(
    { weight: 12, arbitrary: fc.constant<BodyEncoding>('as it is') },
    { weight: 4, arbitrary: fc.constantFrom(...BODY_ENCODINGS) },
  ),
  headers,
});

/** At least a megabyte above every limit; it compresses to almost nothing. */
const BOMB = gzipSync(Buffer.from(`{"name":"${'x'.repeat(40_000_000)}"}`));
const TOO_LARGE = 7_000_000;

/** The bytes of a text, and their Content-Encoding. */
export function encodeBody(
  text: string,
  encoding: BodyEncoding,
): { body?: string | Buffer; headers: Record<string, string> } {
  switch (encoding) {
    case 'as it is':
      return { body: text, headers: {} };
    case 'cut':
      return { body: text.slice(0, Math.ceil(text.length / 2)), headers: {} };
    case 'twice':
      return { body: text + text, headers: {} };
    case 'with a byte order mark':
      return { body: `\ufeff${text}`, headers: {} };
    case 'UTF-16':
      return { body: Buffer.from(text, 'utf16le'), headers: { 'Content-Type': 'application/json; charset=utf-16le' } };
    case 'Latin-1':
      return { body: Buffer.from(text, 'latin1'), headers: { 'Content-Type': 'application/json; charset=iso-8859-1' } };
    case 'zipped':
      return { body: gzipSync(text), headers: { 'Content-Encoding': 'gzip' } };
    case 'said to be zipped':
      return { body: text, headers: { 'Content-Encoding': 'gzip' } };
    case 'a bomb':
      return { body: BOMB, headers: { 'Content-Encoding': 'gzip' } };
    case 'a number':
      return { body: '-0', headers: {} };
    case 'each field twice':
      return { body: text.length > 2 ? `${text.slice(0, -1)},${text.slice(1)}` : text, headers: {} };
    case 'as a form':
      return {
        body: `a[$ne]=1&x=${encodeURIComponent(text.slice(0, 500).toWellFormed())}`,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      };
    case 'in parts':
      return { body: text, headers: { 'Transfer-Encoding': 'chunked' } };
    case 'none':
      return { headers: { 'Content-Type': 'application/json' } };
    case 'too large':
      return { body: `{"name":"${'x'.repeat(TOO_LARGE)}"}`, headers: {} };
    case 'not UTF-8':
      return { body: Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0xff, 0x22, 0x3a, 0x31, 0x7d]), headers: {} };
  }
}
