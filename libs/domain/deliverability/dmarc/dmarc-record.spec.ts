import fc from 'fast-check';
import { isDmarcRecord, isLikeDmarc, readDmarcRecord, type DmarcRecord } from './dmarc-record';

const codes = (text: string) => readDmarcRecord(text).problems.map(({ code, severity }) => `${severity} ${code}`);

describe('the recognition of a DMARC record (RFC 9989, sections 4.7 and 4.8)', () => {
  it.each<[string, boolean]>([
    ['v=DMARC1', true],
    ['v=DMARC1;', true],
    ['v=DMARC1; p=none', true],
    ['v=DMARC1;p=none', true],
    ['v = DMARC1 ; p=none', true],
    ['V=DMARC1; p=none', true],
    ['v\t=\tDMARC1\t;', true],
    ['v=dmarc1; p=none', false],
    ['v=DMARC1 p=none', false],
    ['v=DMARC10; p=none', false],
    ['v=DMARC2; p=none', false],
    [' v=DMARC1; p=none', false],
    ['p=none; v=DMARC1', false],
    ['"v=DMARC1; p=none"', false],
    ['v=DMARC1\0; p=none', false],
    ['v=spf1 -all', false],
    ['', false],
  ])('%j: %j', (text, is) => {
    expect(isDmarcRecord(text)).toBe(is);
  });

  it.each<[string, boolean]>([
    ['v=dmarc1; p=none', true],
    ['v=DMARC1 p=none', true],
    ['v=DMARC 1; p=none', true],
    ['"v=DMARC1; p=none"', true],
    ['v=DMARC1; p=none', false],
    ['v=spf1 -all', false],
    ['some-site-verification=123', false],
  ])('%j was meant to be one but is discarded: %j', (text, looks) => {
    expect(isLikeDmarc(text)).toBe(looks);
  });
});

describe('the tags of a DMARC record', () => {
  const DEFAULTS = { p: null, sp: null, np: null, psd: 'u', testing: false, adkim: 'r', aspf: 'r' };

  it.each<[string, Partial<DmarcRecord>]>([
    ['v=DMARC1', {}],
    ['v=DMARC1; p=reject', { p: 'reject' }],
    ['v=DMARC1; P=Reject', { p: 'reject' }],
    ['v=DMARC1;p=quarantine;sp=none;np=reject', { p: 'quarantine', sp: 'none', np: 'reject' }],
    ['v=DMARC1; sp=none; p=reject', { p: 'reject', sp: 'none' }],
    ['v=DMARC1; p = none ; adkim = s ; aspf=S;', { p: 'none', adkim: 's', aspf: 's' }],
    ['v=DMARC1; p=none; psd=y', { p: 'none', psd: 'y' }],
    ['v=DMARC1; p=none; psd=n; t=y', { p: 'none', psd: 'n', testing: true }],
    ['v=DMARC1; p=none; psd=u; t=n', { p: 'none' }],
    ['v=DMARC1; p=none; fo=1:d:s', { p: 'none' }],
    ['v=DMARC1; p=none; fo=s:0', { p: 'none' }],
  ])('of %j', (text, tags) => {
    expect(readDmarcRecord(text)).toMatchObject({ ...DEFAULTS, ...tags, problems: [] });
  });

  it.each<[string, string[], Partial<DmarcRecord>]>([
    ['v=DMARC1; p=none; psd=maybe; adkim=relaxed; t=1', ['warn tag_invalid'], { psd: 'u', adkim: 'r', testing: false }],
    ['v=DMARC1; p=none; fo=0:1', ['warn tag_invalid'], {}],
    ['v=DMARC1; p=none; fo=d:d', ['warn tag_invalid'], {}],
    ['v=DMARC1; p=none; fo=x', ['warn tag_invalid'], {}],
    ['v=DMARC1; p=none; fo=0:d:s:1', ['warn tag_invalid'], {}],
    ['v=DMARC1; p=reject; p=none', ['warn tag_repeated'], { p: 'reject' }],
    ['v=DMARC1; p=reject;; sp=none', ['warn syntax'], { p: 'reject', sp: 'none' }],
    ['v=DMARC1; reject; p=reject', ['warn syntax'], { p: 'reject' }],
    ['v=DMARC1; p=', ['warn syntax'], { p: null }],
    ['v=DMARC1; p=reject; aspf=\xe4', ['warn syntax'], { p: 'reject', aspf: 'r' }],
    ['v=DMARC1; p=none; pct=50; ri=86400; rf=afrf', ['info tag_removed'], { p: 'none' }],
    ['v=DMARC1; p=none; x=1; y=2', ['info tag_unknown'], { p: 'none' }],
    ['v=DMARC1; p=rejct; sp=reject', [], { p: null, sp: 'reject', subdomainPolicyInvalid: false }],
    ['v=DMARC1; p=reject; sp=nothing', [], { p: 'reject', sp: null, subdomainPolicyInvalid: true }],
    ['v=DMARC1; p=reject; np=nothing', [], { p: 'reject', np: null, subdomainPolicyInvalid: true }],
  ])('with errors, of %j', (text, problems, tags) => {
    expect(codes(text)).toEqual(problems);
    expect(readDmarcRecord(text)).toMatchObject(tags);
  });
});

describe('addresses for reports (RFC 9989, sections 4.6 and 4.8)', () => {
  const uris = (rua: string) => readDmarcRecord(`v=DMARC1; p=none; rua=${rua}`).rua;

  it.each<[string, string, string | null]>([
    ['mailto:dmarc@example.com', 'mailto', 'example.com'],
    ['MAILTO:dmarc@Example.COM', 'mailto', 'example.com'],
    ['mailto:dmarc+x=1@example.com?subject=report', 'mailto', 'example.com'],
    ['https://example.com/reports', 'other', null],
    ['dmarc@example.com', 'invalid', null],
    ['mailto:dmarc', 'invalid', null],
    ['mailto:@example.com', 'invalid', null],
    ['mailto:dmarc@', 'invalid', null],
    ['mailto:dmarc@localhost', 'invalid', null],
    ['mailto:dmarc@exa mple.com', 'invalid', null],
    ['mailto:<dmarc@example.com>', 'invalid', null],
    ['mailto:a!b@example.com', 'invalid', null],
    ['mailto: dmarc@example.com', 'invalid', null],
  ])('%s is %s', (text, kind, host) => {
    expect(uris(text)).toEqual([{ text, kind, host, sized: false }]);
  });

  it('are separated by commas and blanks', () => {
    expect(uris('mailto:a@one.example , mailto:b@two.example').map(({ host }) => host)).toEqual([
      'one.example',
      'two.example',
    ]);
    expect(uris('mailto:a@one.example,').map(({ kind }) => kind)).toEqual(['mailto', 'invalid']);
  });

  it.each(['!10m', '!5', '!2G'])('may end in %s, which is obsolete', (size) => {
    expect(uris(`mailto:a@one.example${size}`)).toEqual([
      { text: `mailto:a@one.example${size}`, kind: 'mailto', host: 'one.example', sized: true },
    ]);
  });

  it('are read up to fifty', () => {
    expect(uris(Array.from({ length: 3_000 }, (_, index) => `mailto:a@h${index}.example`).join(','))).toHaveLength(50);
  });
});

it('a DMARC record never throws, and its problems stay few and short', () => {
  const tag = fc.tuple(
    fc.constantFrom('p', 'sp', 'np', 'psd', 't', 'adkim', 'aspf', 'rua', 'ruf', 'fo', 'pct', 'x', '', '\0'),
    fc.oneof(fc.constantFrom('none', 'reject', 'y', 'r', 'mailto:a@b.example', ''), fc.string({ unit: 'binary' })),
  );
  const record = fc
    .array(tag, { maxLength: 40 })
    .map((tags) => ['v=DMARC1', ...tags.map((each) => each.join('='))].join(';'));
  fc.assert(
    fc.property(record, (text) => {
      const { problems } = readDmarcRecord(text);
      expect(problems.length).toBeLessThanOrEqual(5);
      for (const { message } of problems) expect(message).toMatch(/^[\x20-\x7e…]{20,500}$/);
    }),
  );
});

it.each([
  ['semicolons', `v=DMARC1; p=none${';'.repeat(100_000)}`],
  ['equals signs', `v=DMARC1; p=none; fo${'='.repeat(100_000)}`],
  ['colons', `v=DMARC1; p=none; fo=${'0:'.repeat(50_000)}`],
  ['blanks', `v=DMARC1; p=none; rua=mailto:a${' '.repeat(100_000)}@b.example`],
  ['one address', `v=DMARC1; p=none; rua=mailto:${'a@'.repeat(50_000)}b.example`],
])('100 kB of %s are read', (_what, text) => {
  expect(readDmarcRecord(text)).toMatchObject({ p: 'none' });
});
