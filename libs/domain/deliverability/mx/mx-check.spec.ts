import fc from 'fast-check';
import { ZoneDnsDriver, type ZoneRecords, type ZoneTable } from '../../../adapters/dns/testing';
import { checkMx } from './mx-check';

/** A zone of example.com with these MX records and further names. */
const zoneOf = (mx: readonly (string | [number, string])[], more: ZoneTable = {}): ZoneTable => ({
  'example.com': {
    MX: mx.map((each, at) =>
      typeof each === 'string' ? { priority: (at + 1) * 10, exchange: each } : { priority: each[0], exchange: each[1] },
    ),
  },
  ...more,
});
const host = (...addresses: string[]): ZoneRecords => ({
  A: addresses.filter((address) => !address.includes(':')),
  AAAA: addresses.filter((address) => address.includes(':')),
});
const check = (zone: ZoneTable) => checkMx(new ZoneDnsDriver(zone), 'example.com');
const codes = ({ problems }: { problems: readonly { code: string; severity: string }[] }) =>
  problems.map(({ code, severity }) => `${severity} ${code}`);

const PUBLIC = '8.8.4.4';
const PUBLIC_6 = '2a00:1450:4001:c0f::1a';

describe('the MX records of a domain', () => {
  it('pass when their hosts have addresses, and are listed in order of preference', async () => {
    const zone = zoneOf(
      [
        [20, 'b.mail.example'],
        [10, 'a.mail.example'],
      ],
      { 'a.mail.example': host(PUBLIC, PUBLIC_6), 'b.mail.example': host(PUBLIC) },
    );
    expect(await check(zone)).toEqual({
      status: 'pass',
      records: [
        { exchange: 'a.mail.example', priority: 10 },
        { exchange: 'b.mail.example', priority: 20 },
      ],
      problems: [],
    });
  });

  it.each<[string, ZoneTable, string, string[]]>([
    ['a host with IPv6 only', zoneOf(['a.example'], { 'a.example': host(PUBLIC_6) }), 'warn', ['warn ipv6_only']],
    ['a host without an address', zoneOf(['a.example']), 'fail', ['fail mx_unresolved']],
    [
      'a host with other records only',
      zoneOf(['a.example'], { 'a.example': { TXT: ['x'] } }),
      'fail',
      ['fail mx_unresolved'],
    ],
    [
      'one host of two without an address',
      zoneOf(['a.example', 'b.example'], { 'b.example': host(PUBLIC) }),
      'warn',
      ['warn mx_unresolved'],
    ],
    [
      'an alias',
      zoneOf(['a.example'], { 'a.example': { CNAME: 'b.example' }, 'b.example': host(PUBLIC) }),
      'warn',
      ['warn mx_is_alias'],
    ],
    [
      'an alias that leads nowhere',
      zoneOf(['a.example'], { 'a.example': { CNAME: 'b.example' } }),
      'fail',
      ['fail mx_unresolved', 'warn mx_is_alias'],
    ],
    ['an address instead of a name', zoneOf(['192.0.2.1']), 'fail', ['fail mx_is_address']],
    [
      'an IPv6 address instead of a name',
      zoneOf(['2a00--1', '::1'], { '2a00--1': host(PUBLIC) }),
      'warn',
      ['warn mx_is_address'],
    ],
    [
      'a host with a private address',
      zoneOf(['a.example'], { 'a.example': host('10.0.0.1') }),
      'warn',
      ['warn mx_not_public'],
    ],
    [
      'a host with the address of itself',
      zoneOf(['a.example'], { 'a.example': host('127.0.0.1', '::1') }),
      'warn',
      ['warn mx_not_public'],
    ],
    [
      'a host with a private and a public address',
      zoneOf(['a.example'], { 'a.example': host('10.0.0.1', PUBLIC) }),
      'pass',
      [],
    ],
    ['a null MX (RFC 7505)', zoneOf([[0, '']]), 'fail', ['fail null_mx']],
    [
      'a null MX beside another',
      zoneOf(
        [
          [0, ''],
          [10, 'a.example'],
        ],
        { 'a.example': host(PUBLIC) },
      ),
      'warn',
      ['warn null_mx_beside'],
    ],
    ['no MX and an address', { 'example.com': host(PUBLIC) }, 'warn', ['warn implicit_mx']],
    ['no MX and an IPv6 address', { 'example.com': host(PUBLIC_6) }, 'warn', ['warn implicit_mx']],
    ['neither MX nor an address', { 'example.com': { TXT: ['v=spf1 -all'] } }, 'fail', ['fail no_mx']],
    ['no such domain', {}, 'fail', ['fail domain_not_found']],
  ])('%s', async (_what, zone, status, problems) => {
    const result = await check(zone);
    expect(result.status).toBe(status);
    expect(codes(result)).toEqual(problems);
  });

  it('are resolved for the ten preferred hosts, each once', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `h${at % 20}.example`);
    const dns = new ZoneDnsDriver(zoneOf(names, { '*.example': host(PUBLIC) }));
    const result = await checkMx(dns, 'example.com');
    expect(codes(result)).toEqual(['info many_mx']);
    expect(dns.queries).toHaveLength(31);
    expect(new Set(dns.queries.map(({ name, type }) => `${type} ${name}`)).size).toBe(31);
  });
});

describe('a resolver that does not answer', () => {
  it.each<[string, ZoneTable, string, string[]]>([
    ['about the domain', { 'example.com': 'timeout' }, 'unknown', ['info dns_no_answer']],
    [
      'about the addresses of a domain without MX',
      { 'example.com': { A: 'servfail', AAAA: 'servfail' } },
      'unknown',
      ['info dns_no_answer'],
    ],
    [
      'about one address of a domain without MX',
      { 'example.com': { A: [PUBLIC], AAAA: 'servfail' } },
      'warn',
      ['warn implicit_mx'],
    ],
    ['about the only host', zoneOf(['a.example'], { 'a.example': 'refused' }), 'unknown', ['info dns_no_answer']],
    [
      'about a host while another has no address',
      zoneOf(['a.example', 'b.example'], { 'a.example': 'timeout' }),
      'unknown',
      ['info dns_no_answer', 'warn mx_unresolved'],
    ],
    [
      'about one host of two',
      zoneOf(['a.example', 'b.example'], { 'a.example': 'timeout', 'b.example': host(PUBLIC) }),
      'pass',
      ['info dns_no_answer'],
    ],
    ['about IPv6 of a host', zoneOf(['a.example'], { 'a.example': { A: [PUBLIC], AAAA: 'servfail' } }), 'pass', []],
    ['about IPv4 of a host', zoneOf(['a.example'], { 'a.example': { A: 'timeout', AAAA: [PUBLIC_6] } }), 'pass', []],
    [
      'about what may be the public address of a host',
      zoneOf(['a.example'], { 'a.example': { A: ['10.0.0.1'], AAAA: 'timeout' } }),
      'pass',
      [],
    ],
  ])('%s', async (_what, zone, status, problems) => {
    const result = await check(zone);
    expect(result.status).toBe(status);
    expect(codes(result)).toEqual(problems);
  });

  it('stops when the caller aborts', async () => {
    const gone = AbortSignal.abort(new Error('enough'));
    await expect(checkMx(new ZoneDnsDriver(), 'example.com', { signal: gone })).rejects.toThrow('enough');
  });
});

it('the MX check never throws and takes at most 31 queries, whatever the zone contains', async () => {
  const name = fc.constantFrom(
    '',
    'a.example',
    'b.example',
    'c.example',
    '1.2.3.4',
    'localhost',
    'a'.repeat(70),
    'x..y',
    '*.example',
  );
  const entry = fc.oneof(
    fc.constantFrom<ZoneTable[string][]>('timeout', 'malformed', { CNAME: 'b.example' }, {}),
    fc.constantFrom(host(PUBLIC), host('10.1.1.1'), host(PUBLIC_6)),
  );
  const zone = fc.dictionary(fc.constantFrom('a.example', 'b.example', 'c.example', 'localhost'), entry, {
    noNullPrototype: true,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(name, { minLength: 1, maxLength: 30 }), zone, async (exchanges, more) => {
      const dns = new ZoneDnsDriver(zoneOf(exchanges, more));
      const { status, problems } = await checkMx(dns, 'example.com');
      expect(dns.queries.length).toBeLessThanOrEqual(31);
      expect(status === 'fail').toBe(problems.some(({ severity }) => severity === 'fail'));
      for (const { message } of problems) expect(message).toMatch(/^[\x20-\x7e…]{10,600}$/);
    }),
  );
});
