import { rounds } from '@testing';
import fc from 'fast-check';
import { isSpfRecord, parseSpf } from './spf-grammar';
import { type SpfRecord } from './spf-record';
import { printSpf } from './testing/spf-print';

function read(text: string): SpfRecord {
  const parsed = parseSpf(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed.record;
}

/** The record without details of its notation. */
function meaning(record: SpfRecord): unknown {
  return JSON.parse(JSON.stringify(record, (key, value: unknown) => (key === 'text' ? undefined : value)));
}

const labels = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const macros = fc
  .tuple(
    fc.constantFrom(...'slodipvhSLODIPVH'.split('')),
    fc.constantFrom('', '1', '2', '07', '127'),
    fc.constantFrom('', 'r', 'R'),
    fc.constantFrom('', '-', '+-', '/', '_=,.'),
  )
  .map((parts) => `%{${parts.join('')}}`);
const pieces = fc.oneof(labels, macros, fc.constantFrom('%%', '%_', '%-', '_', ':', '/', '=', '!'));
const names = fc
  .tuple(
    fc.array(pieces, { maxLength: 3 }),
    fc.oneof(
      labels.map((label) => `.${label}`),
      labels.map((label) => `.${label}.`),
      macros,
    ),
  )
  .map(([start, end]) => start.join('') + end);
const prefixes = fc
  .tuple(fc.option(fc.integer({ min: 0, max: 32 })), fc.option(fc.integer({ min: 0, max: 128 })))
  .map(([ip4, ip6]) => `${ip4 === null ? '' : `/${ip4}`}${ip6 === null ? '' : `//${ip6}`}`);
const mechanisms = fc.oneof(
  fc.constantFrom('all', 'a', 'mx', 'ptr', 'ALL', 'Mx'),
  fc.tuple(fc.constantFrom('include', 'exists', 'ptr', 'Include'), names).map((parts) => parts.join(':')),
  fc.tuple(fc.constantFrom('a', 'mx'), names, prefixes).map(([kind, name, prefix]) => `${kind}:${name}${prefix}`),
  fc.tuple(fc.constantFrom('a', 'mx'), prefixes).map((parts) => parts.join('')),
  fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })).map(([address, prefix]) => `ip4:${address}/${prefix}`),
  fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 })).map(([address, prefix]) => `ip6:${address}/${prefix}`),
);
const directives = fc.tuple(fc.constantFrom('', '+', '-', '~', '?'), mechanisms).map((parts) => parts.join(''));
const unknown = fc
  .tuple(
    fc.stringMatching(/^x[a-z0-9._-]{0,5}$/),
    fc.array(pieces, { maxLength: 3 }).map((all) => all.join('')),
  )
  .map((parts) => parts.join('='));
const records = fc
  .tuple(
    fc.array(fc.oneof(directives, unknown), { maxLength: 8 }),
    fc.option(names.map((name) => `redirect=${name}`)),
    fc.option(names.map((name) => `exp=${name}`)),
    fc.constantFrom(' ', '  '),
  )
  .map(([terms, redirect, exp, space]) => ['v=spf1', exp ?? [], ...terms, redirect ?? []].flat().join(space));

describe('the grammar of SPF records', () => {
  it('returns every term with its meaning', () => {
    expect(read('v=spf1 ~A:%{d2r-}.example.com/24//64 ip6:::1 exp=why.example.com')).toEqual({
      directives: [
        {
          qualifier: '~',
          text: '~A:%{d2r-}.example.com/24//64',
          mechanism: {
            kind: 'a',
            prefixes: { ip4: 24, ip6: 64 },
            domain: [
              { kind: 'macro', letter: 'd', escaped: false, keep: 2, reversed: true, delimiters: '-' },
              { kind: 'literal', text: '.example.com' },
            ],
          },
        },
        { qualifier: '+', text: 'ip6:::1', mechanism: { kind: 'ip6', network: '::1', prefix: 128 } },
      ],
      redirect: null,
      exp: { text: 'exp=why.example.com', domain: [{ kind: 'literal', text: 'why.example.com' }] },
      unknown: [],
    });
  });

  it('reports all errors, each with its term and position', () => {
    const parsed = parseSpf('v=spf1 ipv4:192.0.2.1  +all mx/64 include:%{x}.example a');
    expect(parsed).toEqual({
      ok: false,
      errors: [
        {
          at: 7,
          term: 'ipv4:192.0.2.1',
          message: expect.stringContaining('is no mechanism that SPF knows') as unknown,
        },
        { at: 30, term: 'mx/64', message: 'has the prefix length "64"; IPv4 takes 0 to 32' },
        { at: 42, term: 'include:%{x}.example', message: expect.stringContaining('"%" begins a macro') as unknown },
      ],
    });
  });

  it.each([
    ['192.0.2.1', 'is an address without "ip4:" or "ip6:" before it'],
    ['2001:db8::1', 'is an address without "ip4:" or "ip6:" before it'],
    ['redirect:example.com', 'the modifier is written "redirect="'],
    ['ip4:192.0.2', 'has "192.0.2", which is no IPv4 address'],
    ['include', 'lacks the domain name'],
    ['a:example', 'does not end in a top-level domain'],
    ['exists:%{t}.example', 'for explanation texts only'],
    ['a\t-all', 'not printable ASCII'],
  ])('reports the error in %j', (term, message) => {
    expect(parseSpf(`v=spf1 ${term}`)).toMatchObject({
      ok: false,
      errors: [{ term, message: expect.stringContaining(message) as unknown }],
    });
  });

  it('prints the canonical form', () => {
    const written = 'V=SPF1 exp=a.example  +IP4:192.0.2.0/32 A/32//128 ?mx//64 x=%{S} -ALL';
    expect(printSpf(read(written))).toBe('v=spf1 ip4:192.0.2.0 a ?mx//64 -all exp=a.example x=%{S}');
  });

  it('parses its own output as the same record', () => {
    fc.assert(
      fc.property(records, (text) => {
        const record = read(text);
        expect(meaning(read(printSpf(record)))).toEqual(meaning(record));
      }),
    );
  });

  it('parses or refuses any text after the version, and never throws', () => {
    const anything = fc.oneof(
      fc.array(fc.integer({ min: 0, max: 0x2ff }), { maxLength: 60 }).map((codes) => String.fromCharCode(...codes)),
      fc
        .array(fc.constantFrom('%', '{', '}', ':', '/', '=', ' ', 'a', 'all', 'ip4', '1', '.', '-', 's', 'r'), {
          maxLength: 40,
        })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const parsed = parseSpf(`v=spf1 ${text}`);
        if (parsed.ok) expect(isSpfRecord(printSpf(parsed.record))).toBe(true);
        else expect(parsed.errors.length).toBeGreaterThan(0);
      }),
      { numRuns: rounds(500) },
    );
  });
});
