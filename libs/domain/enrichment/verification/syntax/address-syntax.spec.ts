import { rounds } from '@testing';
import { parseEmailAddress } from '@platform/validation';
import fc from 'fast-check';
import { parseAddressSyntax, type MailboxSyntax } from './address-syntax';
import { FAULTS } from './testing/fault-table';
import { HEADER_ONLY } from './testing/header-table';
import { MAILBOXES } from './testing/mailbox-table';

function marksOf({ form, destination, isInternational, remarks }: MailboxSyntax): string {
  const quoted = form === 'quoted_string' ? ['quoted'] : [];
  const literal = destination === 'domain' ? [] : [destination];
  return [...quoted, ...literal, ...(isInternational ? ['international'] : []), ...remarks].join(' ');
}

describe('a mailbox of SMTP', () => {
  it.each(MAILBOXES.map(([text, address, marks = '']) => [text, address, marks] as const))(
    'is %j: %s %s',
    (text, address, marks) => {
      const syntax = parseAddressSyntax(text);
      expect(syntax).toMatchObject({ kind: 'mailbox', address });
      expect(marksOf(syntax as MailboxSyntax)).toBe(marks);
    },
  );

  it.each(MAILBOXES.map(([text, address]) => [text, address] as const))(
    'has one normal form: of %j that is %j',
    (_text, address) => {
      expect(parseAddressSyntax(address)).toMatchObject({ kind: 'mailbox', address });
    },
  );

  it('has the normal form of leads when a lead may have it', () => {
    const both = MAILBOXES.map(([text, address]) => [parseEmailAddress(text), address] as const).filter(
      ([lead]) => lead.ok,
    );
    expect(both.length).toBeGreaterThan(40);
    for (const [lead, address] of both) expect(lead).toMatchObject({ address });
  });
});

describe('an address that only a header may contain', () => {
  it.each(HEADER_ONLY)('is %j: %s, with the mailbox %j', (text, forms, mailbox) => {
    expect(parseAddressSyntax(text)).toEqual({ kind: 'header_only', forms: forms.split(' '), mailbox });
  });
});

describe('an invalid address', () => {
  it.each(FAULTS)('is %j: %s', (text, fault) => {
    expect(parseAddressSyntax(text)).toEqual({ kind: 'invalid', fault });
  });
});

it('the tables contain more than two hundred unique addresses', () => {
  const texts = [...MAILBOXES, ...HEADER_ONLY, ...FAULTS].map(([text]) => text);
  expect(texts.length).toBeGreaterThan(200);
  expect(new Set(texts).size).toBe(texts.length);
});

/**
 * `Mailbox` of RFC 5321, section 4.1.2, in ASCII, derived from its ABNF independently of this folder, with the lengths of section 4.5.3.1.
 * Deviations of this project: `::` for a single group, and no tags except `IPv6`.
 */
const ORACLE = (() => {
  const atext = "[A-Za-z0-9!#$%&'*+\\-/=?^_`{|}~]";
  const dotString = `${atext}+(?:\\.${atext}+)*`;
  const quotedString = '"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*"';
  const subDomain = '[A-Za-z0-9](?:[A-Za-z0-9\\-]{0,61}[A-Za-z0-9])?';
  const snum = '(?:25[0-5]|2[0-4]\\d|[01]\\d\\d|\\d\\d|\\d)';
  const v4 = `${snum}(?:\\.${snum}){3}`;
  const hex = '[0-9A-Fa-f]{1,4}';
  const upTo = (groups: number) => (groups === 0 ? '' : `(?:${hex}(?::${hex}){0,${groups - 1}})?`);
  const comp = Array.from({ length: 8 }, (_, left) => `(?:${upTo(left)}::${upTo(7 - left)})`);
  const v4comp = Array.from({ length: 6 }, (_, left) => {
    const right = 5 - left;
    return `(?:${upTo(left)}::(?:${hex}:){0,${right}}${v4})`;
  });
  const v6 = [`${hex}(?::${hex}){7}`, ...comp, `(?:${hex}:){6}${v4}`, ...v4comp].join('|');
  const literal = `\\[(?:${v4}|[Ii][Pp][Vv]6:(?:${v6}))\\]`;
  return new RegExp(`^(?<local>${dotString}|${quotedString})@(?:${subDomain}(?:\\.${subDomain})*|${literal})$`);
})();

function isMailbox(text: string): boolean {
  const local = ORACLE.exec(text)?.groups?.['local'];
  return local !== undefined && local.length <= 64 && text.length <= 254;
}

const dotted = (unit: fc.Arbitrary<string>, words: number) =>
  fc.array(unit, { minLength: 1, maxLength: words }).map((parts) => parts.join('.'));
const label = fc.stringMatching(/^[a-wyzA-WYZ0-9](?:[a-zA-Z0-9-]{0,10}[a-zA-Z0-9])?$/);
const local = fc.oneof(
  dotted(fc.stringMatching(/^[A-Za-z0-9!#$%&'*+\-/=?^_`{|}~]{1,12}$/), 4),
  fc
    .array(fc.oneof(fc.stringMatching(/^[ !#-[\]-~]$/), fc.stringMatching(/^\\[ -~]$/)), { maxLength: 30 })
    .map((parts) => `"${parts.join('')}"`),
);
const domain = fc.oneof(
  { weight: 4, arbitrary: dotted(label, 5) },
  { weight: 1, arbitrary: fc.ipV4().map((ip) => `[${ip}]`) },
  { weight: 1, arbitrary: fc.ipV6().map((ip) => `[IPv6:${ip}]`) },
);
const address = fc.tuple(local, domain).map(([left, right]) => `${left}@${right}`);
/** An address with an inserted, omitted or moved part. */
const mutated = fc
  .tuple(
    address,
    fc.nat(),
    fc.nat(6),
    fc.oneof(
      fc.stringMatching(/^[ -~]$/),
      fc.constantFrom('.', '..', '@', '"', '\\', '[', ']', '::', ':', '-', '\r\n '),
    ),
  )
  .map(([text, where, length, put]) => {
    const at = where % (text.length + 1);
    return `${text.slice(0, at)}${put}${text.slice(at + length)}`;
  });

describe('against an oracle', () => {
  it('accepts every address that the grammar generates', () => {
    fc.assert(
      fc.property(address, (text) => {
        expect([text, isMailbox(text)]).toEqual([text, true]);
        expect([text, parseAddressSyntax(text).kind]).toEqual([text, 'mailbox']);
      }),
      { numRuns: rounds(3_000) },
    );
  });

  it('agrees with a regular expression of the ABNF on changed addresses', () => {
    const seen = { mailbox: 0, other: 0 };
    fc.assert(
      fc.property(mutated, (text) => {
        const expected = isMailbox(text) && !/@(?:.*\.)?xn--/i.test(text);
        if (/@(?:.*\.)?xn--/i.test(text)) return;
        seen[expected ? 'mailbox' : 'other'] += 1;
        expect([text, parseAddressSyntax(text).kind === 'mailbox']).toEqual([text, expected]);
      }),
      { numRuns: rounds(10_000) },
    );
    expect(Math.min(seen.mailbox, seen.other)).toBeGreaterThan(rounds(500));
  });

  it('agrees with it on the ASCII entries of the tables', () => {
    const ascii = /^[\0-\x7f]*$/;
    for (const [text] of [...HEADER_ONLY, ...FAULTS])
      if (ascii.test(text) && !text.includes('xn--')) expect([text, isMailbox(text)]).toEqual([text, false]);
    for (const [text] of MAILBOXES) if (ascii.test(text)) expect([text, isMailbox(text)]).toEqual([text, true]);
  });
});

describe('any text', () => {
  it('has a verdict, and the mailbox of a header is valid', () => {
    const pieces = fc.constantFrom(
      '(',
      ')',
      '"',
      '\\',
      '@',
      '.',
      '[',
      ']',
      ' ',
      '\r\n ',
      '\t',
      'a',
      'ü',
      '\0',
      '\u200d',
      ':',
      '-',
      '\ud800',
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const syntax = parseAddressSyntax(text);
        if (syntax.kind === 'invalid') return;
        const meant = syntax.kind === 'mailbox' ? syntax.address : syntax.mailbox;
        if (meant !== null) expect(parseAddressSyntax(meant)).toMatchObject({ kind: 'mailbox', address: meant });
      }),
      { numRuns: rounds(5_000) },
    );
  });

  it.each([
    '(',
    '()',
    '"',
    '\\',
    '"\\',
    'a.',
    '@',
    'a@',
    ' ',
    '\r\n ',
    '[',
    'ü',
    'ü.',
    'xn--',
    '\u200d',
    '(\\)',
    '-',
    '1.',
  ])('of a hundred thousand characters of %j is parsed in linear time', (unit) => {
    const many = unit.repeat(100_000 / unit.length);
    for (const text of [many, `a@${many}`, `"${many}"@example.org`, `(${many})a@example.org`, `a@[${many}]`]) {
      expect(['invalid', 'header_only']).toContain(parseAddressSyntax(text).kind);
    }
  });
});
