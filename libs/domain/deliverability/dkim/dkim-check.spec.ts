import fc from 'fast-check';
import { ZoneDnsDriver, type ZoneTable } from '../../../adapters/dns/testing';
import { checkDkim, type DkimSubject } from './dkim-check';
import { KNOWN_SELECTORS, getSelector } from './selectors';
import { keyRecord, rsaKey } from './testing/keys';

const GOOD = keyRecord();
const at = (selector: string) => `${selector}._domainkey.example.com`;
const check = (zone: ZoneTable, subject: Partial<DkimSubject> = {}) =>
  checkDkim(new ZoneDnsDriver(zone), { domain: 'example.com', ...subject });
const codes = ({ problems }: { problems: readonly { code: string; severity: string }[] }) =>
  problems.map(({ code, severity }) => `${severity} ${code}`);

describe('the key of a configured selector', () => {
  it('passes with one query, regardless of other records', async () => {
    const dns = new ZoneDnsDriver({ [at('own')]: { TXT: [GOOD] }, [at('google')]: { TXT: ['v=DKIM1; p='] } });
    expect(await checkDkim(dns, { domain: 'Example.COM.', selector: 'Own' })).toEqual({
      status: 'pass',
      problems: [],
      selector: 'own',
      source: 'configured',
      record: GOOD,
      records: [GOOD],
      key: { type: 'rsa', bits: 2_048 },
    });
    expect(dns.queries).toHaveLength(1);
  });

  it('may have several labels (RFC 6376, section 3.1)', async () => {
    expect(await check({ [at('a.b')]: { TXT: [GOOD] } }, { selector: 'a.b' })).toMatchObject({ status: 'pass' });
  });

  it('may be published by the provider, through an alias', async () => {
    const zone = { [at('s1')]: { CNAME: 's1.dkim.provider.example' }, 's1.dkim.provider.example': { TXT: [GOOD] } };
    expect(await check(zone, { selector: 's1' })).toMatchObject({ status: 'pass', record: GOOD });
  });

  it('is reported missing although another selector has a key', async () => {
    const result = await check({ [at('google')]: { TXT: [GOOD] } }, { selector: 'own' });
    expect(result).toMatchObject({ status: 'fail', selector: 'own', record: null, records: [] });
    expect(codes(result)).toEqual(['fail key_not_found']);
  });

  it('is reported missing when the name has only other records', async () => {
    expect(codes(await check({ [at('own')]: { A: ['192.0.2.1'] } }, { selector: 'own' }))).toEqual([
      'fail key_not_found',
    ]);
  });

  it('is reported as a broken delegation when its alias does not resolve', async () => {
    const result = await check({ [at('s1')]: { CNAME: 'gone.provider.example' } }, { selector: 's1' });
    expect(codes(result)).toEqual(['fail delegation_broken']);
    expect(result.problems[0]!.message).toContain('gone.provider.example');
  });

  it.each(['timeout', 'servfail', 'refused', 'malformed', 'unreachable'] as const)(
    'is unknown at %s',
    async (failure) => {
      const result = await check({ [at('own')]: failure }, { selector: 'own' });
      expect(result).toMatchObject({ status: 'unknown', selector: 'own', record: null });
      expect(codes(result)).toEqual(['info dns_no_answer']);
    },
  );

  it.each(['', ' ', 'a b', 'a..b', '-a', 'é', 'x'.repeat(64), `${'x'.repeat(60)}.`.repeat(3)])(
    'that is invalid (%j) is refused without a query',
    async (selector) => {
      const dns = new ZoneDnsDriver();
      expect(codes(await checkDkim(dns, { domain: 'example.com', selector }))).toEqual(['fail selector_invalid']);
      expect(dns.queries).toEqual([]);
    },
  );
});

describe('several records under one selector (RFC 6376, section 3.6.2.2)', () => {
  const other = `v=DKIM1; p=${rsaKey(2_048, { seed: 'another' })}`;

  it.each<[string, string[], string, string[]]>([
    ['two keys', [GOOD, other], 'fail', ['fail several_keys']],
    ['a key and its revocation', ['v=DKIM1; p=', GOOD], 'fail', ['fail several_keys']],
    ['a key and other text', ['v=spf1 -all', GOOD], 'warn', ['warn several_records']],
    ['other text alone', ['v=spf1 -all'], 'fail', ['fail version_unknown']],
    ['much other text', ['hello', 'world'], 'fail', ['fail record_malformed', 'warn several_records']],
  ])('%s', async (_what, records, status, problems) => {
    const result = await check({ [at('own')]: { TXT: records } }, { selector: 'own' });
    expect(result.status).toBe(status);
    expect(codes(result)).toEqual(problems);
    expect(result.records).toEqual(records);
  });

  it('are read up to ten', async () => {
    const records = Array.from({ length: 500 }, (_, index) => `noise ${index}`);
    const result = await check({ [at('own')]: { TXT: records } }, { selector: 'own' });
    expect(result.records).toHaveLength(10);
    expect(result.problems).toHaveLength(2);
  });
});

describe('a selector that is not configured', () => {
  it('is found among those of the common providers, without further queries', async () => {
    const dns = new ZoneDnsDriver({ [at('selector2')]: { TXT: [GOOD] } });
    const result = await checkDkim(dns, { domain: 'example.com' });
    expect(result).toMatchObject({ status: 'pass', selector: 'selector2', source: 'known' });
    const asked = dns.queries.map(({ name }) => name.split('.', 1)[0]);
    // The last one is a selector that no domain has; it detects a wildcard.
    expect(asked).toEqual(['google', 'selector1', 'selector2', expect.stringContaining('no-such-selector')]);
  });

  it.each(KNOWN_SELECTORS)('is found when it is %s', async (selector) => {
    expect(await check({ [at(selector)]: { TXT: [GOOD] } })).toMatchObject({ status: 'pass', selector });
  });

  it('is preferably one that has signed mail', async () => {
    const dns = new ZoneDnsDriver({ [at('google')]: { TXT: [GOOD] }, [at('jan2026')]: { TXT: [GOOD] } });
    const result = await checkDkim(dns, { domain: 'example.com', learned: ['gone', 'JAN2026', 'google'] });
    expect(result).toMatchObject({ status: 'pass', selector: 'jan2026', source: 'learned' });
    expect(dns.queries[0]!.name).toBe(at('gone'));
  });

  it('is not one beyond the five learned selectors', async () => {
    const learned = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'];
    expect(await check({ [at('a5')]: { TXT: [GOOD] } }, { learned })).toMatchObject({ selector: 'a5' });
    expect(await check({ [at('a6')]: { TXT: [GOOD] } }, { learned })).toMatchObject({ status: 'fail', selector: null });
  });

  it('is not one with a revoked key when another has a key', async () => {
    const zone = { [at('google')]: { TXT: ['v=DKIM1; p='] }, [at('zoho')]: { TXT: [GOOD] } };
    expect(await check(zone)).toMatchObject({ status: 'pass', selector: 'zoho' });
  });

  it('is one with an invalid key only without a better one', async () => {
    const zone = {
      [at('google')]: { TXT: ['v=DKIM1; p='] },
      [at('zoho')]: { TXT: ['v=DKIM1; p=AAAA'] },
      [at('mx')]: { TXT: ['v=DKIM1; p=BBBB'] },
    };
    const result = await check(zone);
    expect(result).toMatchObject({ status: 'fail', selector: 'zoho', source: 'known' });
    expect(codes(result)).toEqual(['fail key_malformed']);
  });

  it('is certainly missing when no name exists below _domainkey (RFC 8020)', async () => {
    const result = await check({ 'example.com': { A: ['192.0.2.1'] } });
    expect(result).toMatchObject({ status: 'fail', selector: null, source: null, record: null, key: null });
    expect(codes(result)).toEqual(['fail no_keys']);
  });

  it('is unknown when other names exist there', async () => {
    const result = await check({ [at('x7d8f9')]: { TXT: [GOOD] } });
    expect(result.status).toBe('warn');
    expect(codes(result)).toEqual(['warn selector_unknown']);
  });

  it('is reported missing when it signed mail and its key was removed', async () => {
    const result = await check({ [at('new')]: { TXT: [GOOD] } }, { learned: ['old'] });
    expect(codes(result)).toEqual(['fail key_not_found']);
    expect(result.problems[0]!.message).toContain(at('old'));
  });

  it.each<[string, ZoneTable]>([
    ['gone', {}],
    ['revoked', { [at('old')]: { TXT: ['v=DKIM1; p='] } }],
    ['broken', { [at('old')]: { TXT: ['v=DKIM1; p=AAAA'] } }],
  ])('gets a warning when mail was signed with another selector, whose key is %s', async (_what, zone) => {
    const result = await check({ ...zone, [at('google')]: { TXT: [GOOD] } }, { learned: ['old'] });
    expect(result).toMatchObject({ status: 'warn', selector: 'google', source: 'known' });
    expect(codes(result)).toEqual(['warn key_not_found']);
    expect(result.problems[0]!.message).toContain(at('old'));
  });

  it('passes without a warning when DNS does not answer for the selector that signed mail', async () => {
    const zone: ZoneTable = { [at('old')]: 'timeout', [at('google')]: { TXT: [GOOD] } };
    expect(await check(zone, { learned: ['old'] })).toMatchObject({ status: 'pass', selector: 'google', problems: [] });
  });
});

describe('a wildcard in the zone', () => {
  it('with a key for every selector is reported, and passes', async () => {
    const result = await check({ '*._domainkey.example.com': { TXT: [GOOD] } });
    expect(result.status).toBe('pass');
    expect(codes(result)).toEqual(['info wildcard_key']);
  });

  it('of a domain that sends no mail is no selector', async () => {
    const result = await check({ '*._domainkey.example.com': { TXT: ['v=DKIM1; p='] } });
    expect(codes(result)).toEqual(['warn selector_unknown']);
  });

  it('with other text is ignored in favour of a real key', async () => {
    const zone = { '*.example.com': { TXT: ['v=spf1 -all'] }, '*._domainkey.example.com': { TXT: ['v=spf1 -all'] } };
    expect(codes(await check(zone))).toEqual(['warn selector_unknown']);
    const result = await check({ ...zone, [at('k3')]: { TXT: [GOOD] } });
    expect(result).toMatchObject({ status: 'pass', selector: 'k3', problems: [] });
  });
});

describe('a resolver that does not answer', () => {
  it('is not queried for the whole list', async () => {
    const dns = new ZoneDnsDriver({ '*._domainkey.example.com': 'timeout' });
    const result = await checkDkim(dns, { domain: 'example.com' });
    expect(codes(result)).toEqual(['info dns_no_answer']);
    expect(result.status).toBe('unknown');
    expect(dns.queries).toHaveLength(3);
  });

  it('for one selector does not hide the key of another, but leaves a missing key unknown', async () => {
    const zone: ZoneTable = { [at('google')]: 'servfail' };
    expect((await check({ ...zone, [at('s1')]: { TXT: [GOOD] } })).status).toBe('pass');
    expect((await check(zone)).status).toBe('unknown');
  });

  it('for the names below leaves the result unknown', async () => {
    expect((await check({ '_domainkey.example.com': 'refused' })).status).toBe('unknown');
  });

  it('stops when the caller aborts', async () => {
    const gone = AbortSignal.abort(new Error('enough'));
    await expect(checkDkim(new ZoneDnsDriver(), { domain: 'example.com' }, { signal: gone })).rejects.toThrow('enough');
  });
});

it('the DKIM check bypasses the DNS cache on request', async () => {
  const dns = new ZoneDnsDriver({ [at('x')]: { TXT: [GOOD] } });
  await checkDkim(dns, { domain: 'example.com' }, { fresh: true });
  expect(dns.queries.every(({ fresh }) => fresh)).toBe(true);
});

it('every known selector is valid', () => {
  expect(KNOWN_SELECTORS.map(getSelector)).toEqual(KNOWN_SELECTORS);
  expect(new Set(KNOWN_SELECTORS).size).toBe(KNOWN_SELECTORS.length);
});

it('the DKIM check never throws and takes at most 40 queries, whatever the zone and the selectors contain', async () => {
  const entry = fc.oneof(
    fc.constantFrom('timeout' as const, 'servfail' as const, 'malformed' as const),
    fc.record({
      TXT: fc.array(
        fc.oneof(fc.constantFrom(GOOD, 'v=DKIM1; p=', '\0'.repeat(2_000)), fc.string({ unit: 'binary-ascii' })),
      ),
    }),
    fc.constant({ CNAME: at('loop') }),
  );
  const zone = fc.dictionary(
    fc.constantFrom(...KNOWN_SELECTORS.map(at), '*._domainkey.example.com', at('loop')),
    entry,
    {
      noNullPrototype: true,
    },
  );
  const selectors = fc.array(fc.oneof(fc.string(), fc.constantFrom(...KNOWN_SELECTORS)), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(zone, selectors, async (table, learned) => {
      const dns = new ZoneDnsDriver(table);
      const { status, record, problems } = await checkDkim(dns, { domain: 'example.com', learned });
      expect(dns.queries.length).toBeLessThanOrEqual(40);
      expect(problems.length).toBeLessThan(10);
      expect(record ?? '').toMatch(/^[\x20-\x7e…]*$/);
      if (status === 'pass') expect(record).not.toBeNull();
    }),
    { numRuns: 60 },
  );
});
