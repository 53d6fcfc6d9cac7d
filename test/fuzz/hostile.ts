import fc from 'fast-check';

/** Text that a response must never contain unescaped: a browser would run it. */
export const SCRIPT = '<img src=x onerror=alert(1)>';

/** Texts that have broken programs before. None of them addresses another machine. */
const TEXTS: readonly string[] = [
  '', ' ', '\0', 'a\0b', '\u{d800}', 'x\u{dfff}y', '\u202egnp.exe', '\u200b', '\ufeff', '\u2028', '🏴‍☠️'.repeat(40), 'ﬀİıſK',
  'e\u0301'.repeat(200), '$ne', '$where', '$set', '{"$gt":""}', '__proto__', 'constructor', 'prototype', 'toString', 'then',
  'hasOwnProperty', '../../../../etc/passwd', '..\\..\\x', '%2e%2e%2f', '%00', '%', '%E0%A4%A', 'a\r\nX-Injected: 1',
  'a\r\nBcc: eve@example.com', '\r\n.\r\n', '\n', '\t', '{{firstName}}', '{{constructor.constructor}}', '{{#each x}}',
  '{{', '}}', '${7*7}', '<%= 7 %>', '#{7}', '=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://127.0.0.1:9")', '\t=1',
  SCRIPT, '<script>alert(1)</script>', '"><svg onload=alert(1)>', "'", "' OR '1'='1", '";--', '`', '\\', '[object Object]',
  'null', 'undefined', 'true', 'NaN', 'Infinity', '-0', '1e999', '0x10', '9007199254740993', '١٢٣', '2026-02-30', '24:61',
  '0000-00-00T00:00:00Z', '+275760-09-13T00:00:00.001Z', '9999-12-31T23:59:59+23:59', 'a@b', '"a b"@example.com', 'a@[127.0.0.1]',
  'ada@xn--a.example', `${'a'.repeat(65)}@example.com`, 'http://127.0.0.1:9/', 'http://[::1]:9/', 'http://localhost:9\\@x/',
  'file:///etc/passwd', 'javascript:alert(1)', 'data:text/html,x', 'http://127.0.0.1:9/%0d%0aX: 1', 'xn--', 'localhost',
  '-'.repeat(63), '0123456789abcdef01234567', '0'.repeat(24), 'Europe/../Berlin', '(a+)+$', '.*', '[', '(?<', '\\u0000', '*',
]; // prettier-ignore

/** Lengths at limits, and one far beyond. */
const LENGTHS = [24, 64, 200, 201, 255, 2_001, 10_001, 70_000] as const;

export const hostileText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('x', 'é', '😀', '\u0301', '<'), fc.constantFrom(...LENGTHS))
      .map(([unit, count]) => unit.repeat(count)),
  },
);

const hostileNumber = fc.constantFrom(
  0, -1, -0, 0.1, 1e21, -1e308, 5e-324, 2 ** 31, 2 ** 53, -(2 ** 53) - 2, Number.MAX_VALUE, 101, 1_000_001,
); // prettier-ignore

const OPERATORS: readonly object[] = [
  { $ne: null },
  { $gt: '' },
  { $where: 'sleep(1000)' },
  { $regex: '.*' },
  { $in: [] },
  { $expr: { $eq: [1, 1] } },
  { length: 5 },
  { toString: 1, valueOf: 1 },
  { toJSON: 'x' },
  { _bsontype: 'ObjectId', id: 'x' },
  { constructor: { prototype: { x: 1 } } },
  { 'a.b': 1, $set: { x: 1 } },
];

const deep = fc
  .tuple(fc.constantFrom(5, 19, 21, 400), fc.boolean())
  .map(([levels, isList]) =>
    Array.from({ length: levels }).reduce<unknown>((inner) => (isList ? [inner] : { a: inner }), 1),
  );

const longList = fc
  .tuple(hostileText, fc.constantFrom(2, 101, 1_001))
  .map(([text, count]) => Array.from({ length: count }, () => text.slice(0, 50)));

/** A value of any kind, for a field of another kind. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: hostileText },
  { weight: 3, arbitrary: hostileNumber },
  { weight: 3, arbitrary: fc.constantFrom(...OPERATORS) },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [null], [[]], [{}]) },
  { weight: 1, arbitrary: hostileText.map((text) => [text, text]) },
  { weight: 1, arbitrary: hostileText.map((text) => ({ [text.slice(0, 200)]: text })) },
  { weight: 1, arbitrary: deep },
  { weight: 1, arbitrary: longList },
);
