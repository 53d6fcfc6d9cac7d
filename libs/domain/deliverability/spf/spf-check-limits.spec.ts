import fc from 'fast-check';
import { ZoneDnsDriver, type ZoneTable } from '../../../adapters/dns/testing';
import { checkHost } from './spf-check';

const SENT = { ip: '192.0.2.1', sender: 'user@example.com', helo: 'mail.example.com' };
/** The record; 10 terms with 10 hosts each; the reverse name with its 10 hosts; the explanation. */
const MOST_QUESTIONS = 1 + 10 * 11 + 11 + 1;

const anyText = fc
  .array(fc.integer({ min: 0, max: 0xff }), { maxLength: 30 })
  .map((codes) => String.fromCharCode(...codes));

const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(' ');

/** MX records with hosts below a name. */
function hostsBelow(name: string, count: number) {
  return Array.from({ length: count }, (_, priority) => ({ priority, exchange: `h${priority}.${name}` }));
}

describe('the limits of an SPF evaluation', () => {
  it('reports the cost of each term, in the order of evaluation', async () => {
    const dns = new ZoneDnsDriver({
      'example.com': {
        TXT: ['v=spf1 ip4:198.51.100.1 include:a.example exists:%{p}.no.example ~mx redirect=b.example'],
        MX: [],
      },
      'a.example': { TXT: ['v=spf1 mx -all'], MX: [{ priority: 1, exchange: 'mx.a.example' }] },
      'mx.a.example': { A: ['198.51.100.2'] },
      'b.example': { TXT: ['v=spf1 a -all'], A: ['192.0.2.1'] },
    });
    const { result, mechanism, trace } = await checkHost(dns, SENT);
    expect({ result, mechanism }).toEqual({ result: 'pass', mechanism: 'a' });
    const steps = trace.map(({ depth, domain, term, lookups, void: empty, outcome }) =>
      [depth, domain, term, lookups, empty ? 'void' : '-', outcome].join(' | '),
    );
    expect(steps).toEqual([
      '0 | example.com | ip4:198.51.100.1 | 0 | - | no_match',
      '0 | example.com | include:a.example | 1 | - | no_match',
      '1 | a.example | mx | 1 | - | no_match',
      '1 | a.example | -all | 0 | - | match',
      '0 | example.com | exists:%{p}.no.example | 2 | void | no_match',
      '0 | example.com | ~mx | 1 | void | no_match',
      '0 | example.com | redirect=b.example | 1 | - | match',
      '1 | b.example | a | 1 | - | match',
    ]);
  });

  it('marks the term that exceeded the limit', async () => {
    const dns = new ZoneDnsDriver({ 'example.com': { TXT: [`v=spf1 ${times(11, 'a')}`], A: ['198.51.100.1'] } });
    const { problem, trace } = await checkHost(dns, SENT);
    expect(problem).toEqual({ code: 'too_many_lookups', message: expect.stringContaining('More than 10') as unknown });
    expect(trace).toHaveLength(11);
    expect(trace.at(-1)).toMatchObject({ outcome: 'error', lookups: 0 });
  });

  it('sends each query once, for any spelling of the name', async () => {
    const dns = new ZoneDnsDriver({
      'example.com': {
        TXT: [`v=spf1 ${times(4, 'mx a')} a:Example.COM`],
        A: ['198.51.100.1'],
        MX: [{ priority: 1, exchange: 'example.com' }],
      },
    });
    expect(await checkHost(dns, SENT)).toMatchObject({ result: 'neutral' });
    expect(new Set(dns.queries.map(({ name, type }) => `${type} ${name}`)).size).toBe(dns.queries.length);
  });

  it('never queries records of type SPF or of unused types', async () => {
    const dns = new ZoneDnsDriver({ 'example.com': { TXT: ['v=spf1 a mx ptr exists:x.example -all'] } });
    await checkHost(dns, SENT);
    expect(dns.queries.map(({ type }) => type)).toEqual(['TXT', 'A', 'MX', 'PTR']);
  });

  it('inserts the receiver and the time into explanations, if known', async () => {
    const dns = new ZoneDnsDriver({
      'example.com': { TXT: ['v=spf1 -all exp=w.example'] },
      'w.example': { TXT: ['%{r} at %{t}'] },
    });
    const known = { receiver: 'mx.example.org', now: new Date('2026-11-21T12:00:00.999Z') };
    expect(await checkHost(dns, { ...SENT, ...known })).toMatchObject({ explanation: 'mx.example.org at 1795262400' });
    expect(await checkHost(dns, SENT)).toMatchObject({ explanation: 'unknown at unknown' });
  });

  it('bypasses the DNS cache on request', async () => {
    const dns = new ZoneDnsDriver({ 'example.com': { TXT: ['v=spf1 a -all'], A: ['192.0.2.1'] } });
    await checkHost(dns, SENT, { fresh: true });
    expect(dns.queries.map(({ fresh }) => fresh)).toEqual([true, true]);
  });

  it('ends with the reason of the signal', async () => {
    const dns = new ZoneDnsDriver({ 'example.com': { TXT: ['v=spf1 a -all'] } });
    const over = new AbortController();
    over.abort(new Error('too late'));
    await expect(checkHost(dns, SENT, { signal: over.signal })).rejects.toThrow('too late');
  });

  it.each(['', 'mail.example.com', '192.0.2', '192.0.2.1/32', '::g'])('refuses the client %j', async (ip) => {
    await expect(checkHost(new ZoneDnsDriver(), { ...SENT, ip })).rejects.toThrow(RangeError);
  });

  it('respects its limits for the most expensive record', async () => {
    const terms = Array.from({ length: 10 }, (_, index) => `mx:d${index}.example`);
    const zones = terms.map((_, index) => ({ [`d${index}.example`]: { MX: hostsBelow(`d${index}.example`, 10) } }));
    const zone: ZoneTable = Object.assign(
      { 'example.com': { TXT: [`v=spf1 ${terms.join(' ')} -all exp=%{p}.example`] } },
      ...zones,
    ) as ZoneTable;
    const dns = new ZoneDnsDriver({
      ...zone,
      '1.2.0.192.in-addr.arpa': { PTR: Array.from({ length: 50 }, (_, index) => `p${index}.example`) },
    });
    expect(await checkHost(dns, SENT)).toMatchObject({ result: 'fail', explanation: null });
    expect(dns.queries).toHaveLength(MOST_QUESTIONS);
  });

  it('respects its limits for any records, and never throws', async () => {
    let dearest = 0;
    const hosts = ['example.com', 'a.example', 'b.example'];
    const names = fc.constantFrom(...hosts, '%{s}', '%{p}', '%{d}', '%{l}.%{o}', '%{h}', 'gone.example');
    const kinds = fc.constantFrom('include:', 'a:', 'mx:', 'ptr:', 'exists:', 'redirect=', 'exp=');
    const terms = fc.oneof(
      { weight: 30, arbitrary: fc.tuple(kinds, names).map((parts) => parts.join('')) },
      { weight: 10, arbitrary: fc.constantFrom('a', 'mx', 'ptr') },
      { weight: 1, arbitrary: anyText },
    );
    const texts = fc.array(terms, { maxLength: 14 }).map((parts) => ['v=spf1', ...parts].join(' '));
    const zones = fc.tuple(texts, texts, texts);
    const identities = fc.record({
      ip: fc.oneof(fc.ipV4(), fc.ipV6()),
      sender: anyText,
      helo: anyText,
      domain: fc.constantFrom(...hosts),
    });
    await fc.assert(
      fc.asyncProperty(zones, identities, async (records, identity) => {
        const zone = Object.fromEntries(
          hosts.map((host, index) => {
            const MX = hostsBelow(host, 8 + index);
            return [host, { TXT: [records[index] ?? ''], MX, A: ['198.51.100.1'] }];
          }),
        );
        const dns = new ZoneDnsDriver(zone);
        const { trace } = await checkHost(dns, identity);
        expect(trace.reduce((sum, { lookups }) => sum + lookups, 0)).toBeLessThanOrEqual(10);
        expect(dns.queries.length).toBeLessThanOrEqual(MOST_QUESTIONS);
        dearest = Math.max(dearest, dns.queries.length);
      }),
      { numRuns: 400, seed: 7208 },
    );
    expect(dearest).toBeGreaterThan(20);
  });
});

describe('a hostile SPF record', () => {
  async function sentUnder(text: string, zone: ZoneTable = {}, sender = SENT.sender) {
    const dns = new ZoneDnsDriver({ ...zone, 'example.com': { TXT: [text] } });
    return { ...(await checkHost(dns, { ...SENT, sender, domain: 'example.com' })), questions: dns.queries.length };
  }

  it('above the size of a TXT record is a permerror', async () => {
    expect(await sentUnder(`v=spf1 ${'ip4:192.0.2.1 '.repeat(8_000)}`)).toMatchObject({
      result: 'permerror',
      questions: 1,
    });
  });

  it('of 65 535 characters is parsed', async () => {
    const filler = 'ip4:198.51.100.1 '.repeat(3_800);
    const text = `v=spf1 ${filler}`.padEnd(65_531, ' ') + '-all';
    expect(await sentUnder(text)).toMatchObject({ result: 'fail', mechanism: '-all' });
  });

  it('with 1000 lookup terms ends at the limit', async () => {
    expect(
      await sentUnder(`v=spf1 ${times(1_000, 'a:host.example')}`, { 'host.example': { A: ['198.51.100.1'] } }),
    ).toMatchObject({
      result: 'permerror',
      problem: { code: 'too_many_lookups' },
      questions: 2,
    });
  });

  it('that includes ever more records ends at the limit', async () => {
    const found = await sentUnder('v=spf1 include:1.deep.example', {
      '*.deep.example': { TXT: ['v=spf1 include:1%{d} -all'] },
    });
    expect(found).toMatchObject({ result: 'permerror', problem: { code: 'too_many_lookups' }, questions: 11 });
  });

  it.each([
    ['macros that blow up', `exists:${'%{s}'.repeat(16_000)}`],
    ['macros that are turned round', `exists:${'%{s127r-.}'.repeat(6_000)}`],
    ['macros that stand for nothing', `exists:${'%{l1_}'.repeat(10_000)}.%{d}`],
    ['slashes', `a:${'/1'.repeat(30_000)}`],
    ['dots', `a:${'.'.repeat(60_000)}`],
    ['labels', `a:${'a.'.repeat(30_000)}com`],
    ['digits', `ip4:192.0.2.1/${'1'.repeat(60_000)}`],
    ['colons', `ip6:${':'.repeat(60_000)}`],
    ['percent signs', `exists:${'%'.repeat(60_000)}`],
    ['an opened macro', `exists:%{d${'1'.repeat(60_000)}`],
  ])('of %s queries at most one name', async (_, term) => {
    const { result, questions } = await sentUnder(`v=spf1 ${term} -all`, {}, `${'a-b_'.repeat(20_000)}@example.com`);
    expect(['fail', 'permerror']).toContain(result);
    expect(questions).toBeLessThanOrEqual(2);
  });

  it('uses only the last 1000 characters of a sender', async () => {
    const why = { 'why.example': { TXT: ['%{l1r-}'] } };
    const text = 'v=spf1 -all exp=why.example';
    expect(await sentUnder(text, why, `first-${'x'.repeat(982)}@example.com`)).toMatchObject({ explanation: 'first' });
    expect(await sentUnder(text, why, `first-${'x'.repeat(983)}@example.com`)).toMatchObject({ explanation: 'irst' });
  });

  it('gets a truncated explanation', async () => {
    const why = { 'why.example': { TXT: ['%{s}'.repeat(10_000)] } };
    const { explanation } = await sentUnder('v=spf1 -all exp=why.example', why);
    expect(explanation).toHaveLength(1_000);
  });
});
