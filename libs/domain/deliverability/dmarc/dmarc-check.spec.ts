import { rounds } from '@testing';
import fc from 'fast-check';
import { ZoneDnsDriver, type ZoneTable } from '../../../adapters/dns/testing';
import { checkDmarc, type DmarcSubject } from './dmarc-check';

const GOOD = 'v=DMARC1; p=reject; rua=mailto:dmarc@example.com';
const zoneOf = (records: Record<string, string | string[]>): ZoneTable =>
  Object.fromEntries(Object.entries(records).map(([domain, text]) => [`_dmarc.${domain}`, { TXT: [text].flat() }]));
const check = (zone: ZoneTable, subject: Partial<DmarcSubject> = {}) =>
  checkDmarc(new ZoneDnsDriver(zone), { domain: 'example.com', ...subject });
const codes = ({ problems }: { problems: readonly { code: string; severity: string }[] }) =>
  problems.map(({ code, severity }) => `${severity} ${code}`);

describe('the DMARC record of a domain', () => {
  it('passes with a policy and a report address, at the cost of two queries', async () => {
    const dns = new ZoneDnsDriver(zoneOf({ 'example.com': GOOD }));
    expect(await checkDmarc(dns, { domain: 'Example.COM' })).toEqual({
      status: 'pass',
      problems: [],
      record: GOOD,
      records: [GOOD],
      foundAt: 'example.com',
      organisationalDomain: 'example.com',
      policy: { requested: 'reject', effective: 'reject', testing: false },
      alignment: { spf: 'unknown', dkim: 'unknown' },
    });
    expect(dns.queries).toHaveLength(2);
  });

  it.each<[string, string, string[]]>([
    ['v=DMARC1; p=quarantine; rua=mailto:d@example.com', 'pass', []],
    ['v=DMARC1; p=reject', 'pass', ['info no_reports']],
    ['v=DMARC1; p=none; rua=mailto:d@example.com', 'warn', ['warn policy_none']],
    ['v=DMARC1; p=reject; t=y; rua=mailto:d@example.com', 'pass', ['info test_mode']],
    ['v=DMARC1; p=quarantine; t=y; rua=mailto:d@example.com', 'warn', ['warn test_mode']],
    ['v=DMARC1; p=none; t=y; rua=mailto:d@example.com', 'warn', ['warn policy_none']],
    ['v=DMARC1; rua=mailto:d@example.com', 'warn', ['warn policy_invalid']],
    ['v=DMARC1; p=rejct; rua=mailto:d@example.com', 'warn', ['warn policy_invalid']],
    ['v=DMARC1; p=reject; sp=x; rua=mailto:d@example.com', 'warn', ['warn policy_invalid']],
    ['v=DMARC1; p=reject; np=x; rua=mailto:d@example.com', 'warn', ['warn policy_invalid']],
    ['v=DMARC1', 'fail', ['fail policy_invalid', 'info no_reports']],
    ['v=DMARC1; p=rejct; rua=d@example.com', 'fail', ['fail policy_invalid', 'warn report_uri_invalid']],
    ['v=DMARC1; p=reject; pct=100; rua=mailto:d@example.com', 'pass', ['info tag_removed']],
    ['v=DMARC1; p=reject; rua=mailto:d@example.com!10m', 'pass', ['info report_size_removed']],
    ['v=DMARC1; p=reject; rua=https://example.com/', 'pass', ['info report_uri_unsupported']],
    ['v=DMARC1; p=reject; ruf=x; rua=mailto:d@example.com', 'warn', ['warn report_uri_invalid']],
    ['v=DMARC1; p=reject; adkim=q; rua=mailto:d@example.com', 'warn', ['warn tag_invalid']],
  ])('%s: %s', async (text, status, problems) => {
    const result = await check(zoneOf({ 'example.com': text }));
    expect(result.status).toBe(status);
    expect(codes(result)).toEqual(problems);
    expect(result).toMatchObject({ record: text, foundAt: 'example.com' });
  });

  it.each<[string, ZoneTable, string]>([
    ['is missing', {}, 'no_record'],
    ['is missing beside other text', zoneOf({ 'example.com': 'v=spf1 -all' }), 'no_record'],
    ['is there twice', zoneOf({ 'example.com': [GOOD, 'v=DMARC1; p=none'] }), 'several_records'],
    ['has no semicolon after its version', zoneOf({ 'example.com': 'v=DMARC1 p=reject' }), 'record_ignored'],
    ['has its version in lower case', zoneOf({ 'example.com': 'v=dmarc1; p=reject' }), 'record_ignored'],
  ])('that %s fails', async (_what, zone, code) => {
    const result = await check(zone);
    expect(result).toMatchObject({ status: 'fail', record: null, foundAt: null, policy: null });
    expect(codes(result)).toEqual([`fail ${code}`]);
  });

  it('is shown with all others when a domain has several', async () => {
    const texts = [GOOD, 'v=DMARC1; p=none'];
    expect((await check(zoneOf({ 'example.com': texts }))).records).toEqual(texts);
  });
});

describe('a subdomain without a record', () => {
  it.each<[string, string, ZoneTable, string]>([
    ['has the policy p', 'v=DMARC1; p=reject', {}, 'reject'],
    ['has the policy sp', 'v=DMARC1; p=reject; sp=quarantine', {}, 'quarantine'],
    [
      'has no policy np when it exists',
      'v=DMARC1; p=quarantine; np=reject',
      { 'out.example.com': { A: ['192.0.2.1'] } },
      'quarantine',
    ],
    [
      'has no policy np when it has other records only',
      'v=DMARC1; p=quarantine; np=reject',
      { 'out.example.com': { TXT: ['x'] } },
      'quarantine',
    ],
    [
      'has no policy np when it is an alias that leads nowhere',
      'v=DMARC1; p=quarantine; np=reject',
      { 'out.example.com': { CNAME: 'gone.example' } },
      'quarantine',
    ],
    ['has the policy np when it does not exist', 'v=DMARC1; p=quarantine; sp=none; np=reject', {}, 'reject'],
    [
      'has the policy sp when it does not exist and there is no np',
      'v=DMARC1; p=reject; sp=quarantine',
      {},
      'quarantine',
    ],
  ])('%s', async (_what, text, zone, requested) => {
    const rua = '; rua=mailto:d@example.com';
    const result = await check({ ...zoneOf({ 'example.com': text + rua }), ...zone }, { domain: 'out.example.com' });
    expect(result).toMatchObject({
      foundAt: 'example.com',
      organisationalDomain: 'example.com',
      policy: { requested },
    });
    expect(codes(result)).toEqual(['info inherited']);
  });

  it('gets a warning when its policy is none', async () => {
    const zone = zoneOf({ 'example.com': `${GOOD}; sp=none` });
    expect(codes(await check(zone, { domain: 'out.example.com' }))).toEqual(['warn policy_none', 'info inherited']);
  });

  it('has the policy of the public suffix when its organisation has none', async () => {
    const zone = zoneOf({ com: 'v=DMARC1; p=reject; psd=y; rua=mailto:d@com.example' });
    const granted = { 'com._report._dmarc.com.example': { TXT: ['v=DMARC1'] } };
    const result = await check({ ...zone, ...granted }, { domain: 'out.example.com' });
    expect(result).toMatchObject({ status: 'pass', foundAt: 'com', organisationalDomain: 'example.com' });
  });

  it('with its own record gets the note that sp has no effect there', async () => {
    const zone = zoneOf({ 'out.example.com': `${GOOD}; sp=none`, 'example.com': GOOD });
    const result = await check(zone, { domain: 'out.example.com' });
    expect(result).toMatchObject({ status: 'pass', foundAt: 'out.example.com' });
    expect(codes(result)).toEqual(['info subdomain_policy_ignored']);
  });

  it('with two records gets a warning although the parent record applies', async () => {
    const zone = zoneOf({ 'out.example.com': [GOOD, 'v=DMARC1; p=none'], 'example.com': GOOD });
    const result = await check(zone, { domain: 'out.example.com' });
    expect(result).toMatchObject({ status: 'warn', foundAt: 'example.com' });
    expect(codes(result)).toEqual(['info inherited', 'warn several_records']);
  });
});

describe('a resolver that does not answer', () => {
  it.each(['timeout', 'servfail', 'refused', 'malformed', 'unreachable'] as const)(
    '(%s) leaves the result unknown',
    async (kind) => {
      const result = await check({ '_dmarc.example.com': kind });
      expect(result).toMatchObject({ status: 'unknown', record: null, policy: null, organisationalDomain: null });
      expect(codes(result)).toEqual(['info dns_no_answer']);
    },
  );

  it('leaves the result unknown when a parent record could apply', async () => {
    expect((await check({ '_dmarc.com': 'timeout' })).status).toBe('unknown');
    const zone = { ...zoneOf({ 'example.com': GOOD }), '_dmarc.out.example.com': 'servfail' as const };
    expect((await check(zone, { domain: 'out.example.com' })).status).toBe('unknown');
    const below = { ...zoneOf({ com: 'v=DMARC1; p=reject; psd=y' }), '_dmarc.example.com': 'servfail' as const };
    expect(await check(below)).toMatchObject({ status: 'unknown', record: null });
  });

  it('for a parent is irrelevant to a domain with a record, but leaves its organisation unknown', async () => {
    const zone = { ...zoneOf({ 'example.com': GOOD }), '_dmarc.com': 'timeout' as const };
    const result = await check(zone, { authenticated: { dkim: 'mail.example.com' } });
    expect(result).toMatchObject({ status: 'pass', organisationalDomain: null, alignment: { dkim: 'unknown' } });
    expect(codes(result)).toEqual(['info dns_no_answer']);
  });

  it('stops when the caller aborts', async () => {
    const gone = AbortSignal.abort(new Error('enough'));
    await expect(checkDmarc(new ZoneDnsDriver(), { domain: 'example.com' }, { signal: gone })).rejects.toThrow(
      'enough',
    );
  });
});

describe('alignment (RFC 9989, section 4.4)', () => {
  const zone = zoneOf({
    'example.com': GOOD,
    'strict.example': `${GOOD.replace('example.com', 'strict.example')}; adkim=s; aspf=s`,
  });

  it.each<[string, string, string | null, string | null, string, string, string[]]>([
    ['the same names', 'example.com', 'example.com', 'Example.com', 'aligned', 'aligned', []],
    ['names below', 'example.com', 'bounce.example.com', 'mail.example.com', 'aligned', 'aligned', []],
    ['a name above', 'mail.example.com', 'example.com', 'example.com', 'aligned', 'aligned', ['info inherited']],
    ['nothing known', 'example.com', null, null, 'unknown', 'unknown', []],
    [
      'a bounce address of the provider',
      'example.com',
      'esp.example',
      'example.com',
      'unaligned',
      'aligned',
      ['info spf_unaligned'],
    ],
    [
      'a signature of the provider',
      'example.com',
      'example.com',
      'esp.example',
      'aligned',
      'unaligned',
      ['warn dkim_unaligned'],
    ],
    ['both of the provider', 'example.com', 'esp.example', 'esp.example', 'unaligned', 'unaligned', ['fail unaligned']],
    [
      'a name below, strictly',
      'strict.example',
      'a.strict.example',
      'strict.example',
      'unaligned',
      'aligned',
      ['info spf_unaligned'],
    ],
  ])('%s', async (_what, domain, spf, dkim, spfAligned, dkimAligned, problems) => {
    const result = await check(zone, { domain, authenticated: { spf, dkim } });
    expect(result.alignment).toEqual({ spf: spfAligned, dkim: dkimAligned });
    expect(codes(result)).toEqual(problems);
  });

  it('of neither is a warning while the policy is none', async () => {
    const result = await check(zoneOf({ 'example.com': GOOD.replace('reject', 'none') }), {
      authenticated: { spf: 'esp.example', dkim: 'esp.example' },
    });
    expect(result.status).toBe('warn');
    expect(codes(result)).toEqual(['warn policy_none', 'warn unaligned']);
  });

  it('ends at a domain that declares itself a separate organisation', async () => {
    const result = await check(
      { ...zone, ...zoneOf({ 'tenant.example.com': 'v=DMARC1; p=none; psd=n' }) },
      {
        authenticated: { spf: 'example.com', dkim: 'tenant.example.com' },
      },
    );
    expect(result.alignment).toEqual({ spf: 'aligned', dkim: 'unaligned' });
  });
});

describe('reports to other organisations (RFC 9990, section 4)', () => {
  const zone = zoneOf({ 'example.com': 'v=DMARC1; p=reject; rua=mailto:a@reports.example' });
  const consent = 'example.com._report._dmarc.reports.example';

  it.each<[string, ZoneTable, string[]]>([
    ['are agreed', { [consent]: { TXT: ['v=DMARC1'] } }, []],
    ['are agreed with any owner', { '*._report._dmarc.reports.example': { TXT: ['v=DMARC1;'] } }, []],
    ['are agreed beside other text', { [consent]: { TXT: ['hello', 'v=DMARC1; rua=mailto:b@reports.example'] } }, []],
    ['are not agreed', {}, ['warn report_destination_unverified']],
    ['are not agreed by other text', { [consent]: { TXT: ['v=spf1 -all'] } }, ['warn report_destination_unverified']],
    ['are open while DNS does not answer', { [consent]: 'timeout' }, ['info dns_no_answer']],
    ['are open while it is not known who that is', { '_dmarc.reports.example': 'servfail' }, []],
  ])('%s', async (_what, more, problems) => {
    expect(codes(await check({ ...zone, ...more }))).toEqual(problems);
  });

  it('exclude other names of the same organisation', async () => {
    const own = zoneOf({ 'example.com': 'v=DMARC1; p=reject; rua=mailto:a@d.example.com; ruf=mailto:b@example.com' });
    expect(codes(await check(own))).toEqual([]);
    const below = zoneOf({ 'out.example.com': 'v=DMARC1; p=reject; rua=mailto:a@example.com', 'example.com': GOOD });
    expect(codes(await check(below, { domain: 'out.example.com' }))).toEqual([]);
  });

  it('are verified with one query each, at most five', async () => {
    const uris = Array.from({ length: 40 }, (_, index) => `mailto:a@h${index % 20}.example`).join(',');
    const dns = new ZoneDnsDriver(zoneOf({ 'example.com': `v=DMARC1; p=reject; rua=${uris}` }));
    const result = await checkDmarc(dns, { domain: 'example.com' });
    expect(codes(result)).toEqual(Array.from({ length: 5 }, () => 'warn report_destination_unverified'));
    expect(dns.queries.filter(({ name }) => name.includes('._report.'))).toHaveLength(5);
  });
});

it('the DMARC check never throws and takes at most 70 queries, whatever the zone contains', async () => {
  const domains = [
    'a.b.c.d.e.f.g.h.example.com',
    'example.com',
    'com',
    'h.example.com',
    'x.y.esp.example',
    'esp.example',
  ];
  const text = fc.oneof(
    fc.constantFrom(
      GOOD,
      'v=DMARC1',
      'v=DMARC1; p=none; psd=y',
      'v=DMARC1; p=reject; psd=n',
      'v=DMARC1; p=x; np=reject',
    ),
    fc.constant(
      `v=DMARC1; p=none; np=reject; rua=${Array.from({ length: 60 }, (_, at) => `mailto:a@${at}.b.c.d.e.f.g.h`).join()}`,
    ),
    fc.string({ unit: 'binary-ascii' }).map((garbage) => `v=DMARC1;${garbage}`),
  );
  const entry = fc.oneof(
    fc.constantFrom('timeout' as const, 'servfail' as const),
    fc.record({ TXT: fc.array(text, { minLength: 1, maxLength: 2 }) }),
  );
  const zone = fc.dictionary(fc.constantFrom(...domains.map((domain) => `_dmarc.${domain}`)), entry, {
    noNullPrototype: true,
  });
  const one = fc.constantFrom(...domains);
  await fc.assert(
    fc.asyncProperty(zone, one, fc.option(one), fc.option(one), async (table, domain, spf, dkim) => {
      const dns = new ZoneDnsDriver(table);
      const result = await checkDmarc(dns, { domain, authenticated: { spf, dkim } });
      expect(dns.queries.length).toBeLessThanOrEqual(70);
      expect(result.problems.length).toBeLessThan(25);
      for (const { message } of result.problems) expect(message).toMatch(/^[\x20-\x7e…]{10,600}$/);
      if (result.status === 'fail' || result.status === 'unknown') expect(result.problems).not.toEqual([]);
    }),
    { numRuns: rounds(150) },
  );
});
