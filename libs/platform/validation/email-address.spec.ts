import { rounds } from '@testing';
import fc from 'fast-check';
import { comparableEmailAddress, parseEmailAddress } from './email-address';

const long = (length: number) => 'x'.repeat(length);
/** A domain of this length with labels of maximum length. */
const domainOf = (length: number) =>
  `${`${long(63)}.`.repeat(8)}${long(63)}`.slice(-length + 4).replace(/^\./, 'x') + '.com';

const TAKEN: readonly (readonly [string, string])[] = [
  ['ada@example.com', 'ada@example.com'],
  ['Ada.LOVELACE@Example.COM', 'ada.lovelace@example.com'],
  ['  ada@example.com\r\n', 'ada@example.com'],
  ['\ufeffada@example.com', 'ada@example.com'],
  ['ada+tag@example.com', 'ada+tag@example.com'],
  ['ada_l-x@example.com', 'ada_l-x@example.com'],
  ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
  ['1@2.example', '1@2.example'],
  ['-@example.com', '-@example.com'],
  ['a@b.c', 'a@b.c'],
  ['a@1.2.3.com', 'a@1.2.3.com'],
  ['a@3com.com', 'a@3com.com'],
  ['a@a.b.c.d.e.f.g.example', 'a@a.b.c.d.e.f.g.example'],
  ['a@a--b.com', 'a@a--b.com'],
  [`${long(64)}@example.com`, `${long(64)}@example.com`],
  [`a@${long(63)}.com`, `a@${long(63)}.com`],
  [`a@${domainOf(252)}`, `a@${domainOf(252)}`],
  ['info@bücher.example', 'info@xn--bcher-kva.example'],
  ['info@BÜCHER.Example', 'info@xn--bcher-kva.example'],
  ['info@bu\u0308cher.example', 'info@xn--bcher-kva.example'],
  ['info@xn--bcher-kva.example', 'info@xn--bcher-kva.example'],
  ['info@XN--BCHER-KVA.example', 'info@xn--bcher-kva.example'],
  ['info@faß.example', 'info@xn--fa-hia.example'],
  ['info@例え.テスト', 'info@xn--r8jz45g.xn--zckzah'],
  ['info@пример.рф', 'info@xn--e1afmkfd.xn--p1ai'],
  ['info@example。com', 'info@example.com'],
  ['info@ｅxample.com', 'info@example.com'],
];

const QUOTED = 'the part before @ is in quotes, which many mail servers refuse';
const UTF8 = 'the part before @ contains a letter beyond ASCII, which needs SMTPUTF8, and many mail servers lack it';
const LOCAL = 'the part before @ contains a character that is not allowed there';
const DOTS = 'the part before @ begins or ends with a dot, or has two in a row';
const HIDDEN = 'it contains a control character or an invisible one';
const ALONE = 'give the address alone, without a name or angle brackets';
const LIST = 'give one address, not a list';
const DOMAIN = 'the part after @ is not a valid domain';
const IP = 'the part after @ is an IP address or ends in a number';
const TOO_LONG = 'it is longer than 254 characters';

const REFUSED: readonly (readonly [string, string])[] = [
  ['', 'it is empty'],
  [' \t\n', 'it is empty'],
  ['ada', 'there is no @ in it'],
  ['@', 'there is nothing before @'],
  ['@example.com', 'there is nothing before @'],
  ['ada@', 'there is nothing after @'],
  ['ada@@example.com', 'there is more than one @ in it'],
  ['ada@b@example.com', 'there is more than one @ in it'],
  ['Ada <ada@example.com>', ALONE],
  ['"Lovelace, Ada" <ada@example.com>', ALONE],
  ['<ada@example.com>', ALONE],
  ['a@example.com,b@example.com', LIST],
  ['a@example.com; b@example.com', LIST],
  ['"ada"@example.com', QUOTED],
  ['"a b"@example.com', QUOTED],
  ['"a@b"@example.com', QUOTED],
  ['"a<b"@example.com', QUOTED],
  ['jürgen@example.com', UTF8],
  ['用户@example.com', UTF8],
  ['\u212aelvin@example.com', UTF8],
  ['.ada@example.com', DOTS],
  ['ada.@example.com', DOTS],
  ['a..da@example.com', DOTS],
  ['a b@example.com', LOCAL],
  ['a(comment)@example.com', LOCAL],
  ['mailto:ada@example.com', LOCAL],
  ['a\\b@example.com', LOCAL],
  ['a"b"@example.com', LOCAL],
  [`${long(65)}@example.com`, 'the part before @ is longer than 64 characters'],
  ['a\u202eb@example.com', HIDDEN],
  ['a@exa\u202emple.com', HIDDEN],
  ['a@exa\u2066mple.com', HIDDEN],
  ['a\u200bb@example.com', HIDDEN],
  ['a@exa\u200dmple.com', HIDDEN],
  ['a@exa\u00admple.com', HIDDEN],
  ['a@exa\u3164mple.com', HIDDEN],
  ['a\0@example.com', HIDDEN],
  ['a@example.com\0', HIDDEN],
  ['a\r\nBcc: b@example.com', HIDDEN],
  ['a\u2028@example.com', HIDDEN],
  ['a\ud800@example.com', HIDDEN],
  ['a@localhost', 'the part after @ has no top-level domain'],
  ['a@bücher', 'the part after @ has no top-level domain'],
  ['a@[127.0.0.1]', 'the part after @ is an IP address instead of a domain'],
  ['a@[IPv6:::1]', 'the part after @ is an IP address instead of a domain'],
  ['a@127.0.0.1', IP],
  ['a@127.1', IP],
  ['a@①②⑦.0.0.①', IP],
  ['a@example.123', IP],
  ['a@example.0x1f', IP],
  ['a@.example.com', DOMAIN],
  ['a@example.com.', DOMAIN],
  ['a@example..com', DOMAIN],
  ['a@-example.com', DOMAIN],
  ['a@example-.com', DOMAIN],
  ['a@-ü.example', DOMAIN],
  ['a@xn----eha.example', DOMAIN],
  ['a@ex_ample.com', DOMAIN],
  ['a@exa mple.com', DOMAIN],
  ['a@example.com (Ada)', DOMAIN],
  ['a@example.com:25', DOMAIN],
  ['a@example.com/x', DOMAIN],
  ['a@ex%61mple.com', DOMAIN],
  ['a@ü%2eexample.com', DOMAIN],
  ['a@ü：25.com', DOMAIN],
  ['a@℀.com', DOMAIN],
  ['a@xn--.com', DOMAIN],
  ['a@xn--a.com', DOMAIN],
  ['a@xn--ü.com', DOMAIN],
  ['a@\u0301a.com', DOMAIN],
  [`a@${long(64)}.com`, 'the part after @ has a label of more than 63 characters'],
  [`a@${'ü'.repeat(60)}.com`.replace('üü', 'üß例'), 'the part after @ has a label of more than 63 characters'],
  [`a@${domainOf(253)}`, TOO_LONG],
  [`a@${`${'ü'.repeat(50)}.`.repeat(5)}com`, TOO_LONG],
];

it.each(TAKEN)('accepts %j as %j', (text, address) => {
  expect(parseEmailAddress(text)).toEqual({ ok: true, address, domain: address.slice(address.indexOf('@') + 1) });
});

it.each(REFUSED)('rejects %j: %s', (text, reason) => {
  expect(parseEmailAddress(text)).toEqual({ ok: false, reason });
});

it.each([
  [' Ada@BÜCHER.example ', 'ada@xn--bcher-kva.example'],
  [' "Ada"@Example.com ', '"ada"@example.com'],
  ['', ''],
])('compares %j as %j', (text, form) => {
  expect(comparableEmailAddress(text)).toBe(form);
});

/** Texts close to an address, built from parts with a meaning to some parser. */
const near = fc
  .array(
    fc.oneof(
      fc.constantFrom('a', 'Z', '0', '9', '0x', '.', '-', '@', 'xn--', 'com', 'ü', 'ß', 'İ', '\u212a', '①', '。', '．'),
      fc.constantFrom(
        '"',
        '<',
        '>',
        '%',
        '%2e',
        '/',
        ':',
        '[',
        ']',
        ' ',
        '\u202e',
        '\u200d',
        '\u0301',
        'א',
        '٣',
        '\ud800',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''));
const domainish = fc
  .array(
    fc.oneof(fc.constantFrom('a', 'Z', '0', '-', '.', 'ü', 'ß', 'İ', '\u212a', '①', '。', 'א', '例'), fc.string()),
    {
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(''));
const likely = fc
  .tuple(fc.stringMatching(/^[a-zA-Z0-9.+]{1,8}$/), domainish)
  .map(([local, rest]) => `${local}@b${rest}.com`);

it('returns a normal form unchanged: lower-case ASCII of at most 254 characters', () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.oneof(near, likely, likely, fc.string({ unit: 'binary' })), (text) => {
      const first = parseEmailAddress(text);
      if (!first.ok) return;
      taken += 1;
      expect(parseEmailAddress(first.address)).toEqual(first);
      expect(first.address).toMatch(/^[!-?^-~]{1,64}@[a-z0-9.-]{3,252}$/);
    }),
    { numRuns: rounds(3_000) },
  );
  expect(taken).toBeGreaterThan(rounds(100));
});

it('has a reason for every rejected text, which never repeats the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const marked = `⚑${text}⚑`;
      expect(parseEmailAddress(marked)).toEqual({ ok: false, reason: expect.not.stringContaining('⚑') as unknown });
    }),
  );
});

it.each(['a', '@', '.', ' ', '"', '<', 'ü', 'a@', 'a.', 'a@b.', '\u202e', 'xn--', '\ud800'])(
  'reads only the beginning of a megabyte of %j',
  (unit) => {
    const text = `a@${unit.repeat(1_000_000 / unit.length)}.com`;
    expect(parseEmailAddress(text)).toEqual({ ok: false, reason: TOO_LONG });
  },
);
