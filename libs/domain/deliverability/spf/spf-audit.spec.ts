import fc from 'fast-check';
import { type DnsOptions } from '@adapters/dns';
import { ZoneDnsDriver, type ZoneTable } from '../../../adapters/dns/testing';
import { providers, RECORDS } from './testing/audit-cases';
import { auditSpf, type SpfAudit } from './spf-audit';

/** Audits example.com with this record. */
async function auditOf(
  text: string | readonly string[],
  zone: ZoneTable = {},
  options?: DnsOptions,
): Promise<SpfAudit> {
  const own = zone['example.com'];
  const table = { ...zone, 'example.com': { ...(typeof own === 'object' ? own : {}), TXT: [text].flat() } };
  return auditSpf(new ZoneDnsDriver(table), 'example.com', options);
}

function codesOf({ problems }: SpfAudit): readonly string[] {
  return problems.map(({ code, severity }) => `${severity} ${code}`);
}

const including = (count: number, end = '~all') =>
  `v=spf1 ${Array.from({ length: count }, (_, index) => `include:p${index}.example`).join(' ')} ${end}`;

describe('the audit of an SPF record', () => {
  it('passes a record that names the senders and refuses all others', async () => {
    expect(await auditOf('v=spf1 ip4:192.0.2.0/24 -all')).toEqual({
      status: 'pass',
      record: 'v=spf1 ip4:192.0.2.0/24 -all',
      lookups: { used: 0, limit: 10, terms: [] },
      voids: 0,
      problems: [],
    });
  });

  it('reports the cost of each term, including the terms that it leads to', async () => {
    const { status, lookups } = await auditOf('v=spf1 a include:p.example mx redirect=r.example', {
      'example.com': { A: ['192.0.2.1'], MX: [{ priority: 1, exchange: 'mx.example.com' }] },
      'p.example': { TXT: ['v=spf1 include:q.example exists:yes.example ~all'] },
      'q.example': { TXT: ['v=spf1 ip6:2001:db8::/32 a:yes.example -all'] },
      'yes.example': { A: ['192.0.2.9'] },
      'r.example': { TXT: ['v=spf1 ip4:203.0.113.1 -all'] },
    });
    expect(status).toBe('pass');
    expect(lookups).toEqual({
      used: 7,
      limit: 10,
      terms: [
        { term: 'a', domain: 'example.com', depth: 0, lookups: 1 },
        { term: 'include:p.example', domain: 'example.com', depth: 0, lookups: 4 },
        { term: 'include:q.example', domain: 'p.example', depth: 1, lookups: 2 },
        { term: 'a:yes.example', domain: 'q.example', depth: 2, lookups: 1 },
        { term: 'exists:yes.example', domain: 'p.example', depth: 1, lookups: 1 },
        { term: 'mx', domain: 'example.com', depth: 0, lookups: 1 },
        { term: 'redirect=r.example', domain: 'example.com', depth: 0, lookups: 1 },
      ],
    });
  });

  it.each([
    [8, 'pass', []],
    [9, 'warn', ['warn many_lookups']],
    [10, 'warn', ['warn many_lookups']],
    [11, 'fail', ['fail too_many_lookups']],
  ] as const)('of %d lookups is %s%s', async (count, status, codes) => {
    const audit = await auditOf(including(count), providers(count));
    expect({ status: audit.status, used: audit.lookups.used, codes: codesOf(audit) }).toEqual({
      status,
      used: count,
      codes,
    });
  });

  it('names the most expensive terms of the record to change', async () => {
    const zone = { ...providers(8), 'big.example': { TXT: [including(8)] } };
    const { problems } = await auditOf('v=spf1 include:p0.example include:big.example include:p1.example -all', zone);
    expect(problems.map(({ message }) => message).join()).toContain('needs 11 DNS look-ups, and 10 are allowed');
    expect(problems[0]?.message).toContain('"include:big.example" 9, "include:p0.example" 1');
  });

  it('counts the lookups of a macro', async () => {
    const { lookups } = await auditOf('v=spf1 exists:%{p}.x.example include:%{i}.x.example -all');
    expect(lookups.terms.map((term) => term.lookups)).toEqual([2, 1]);
  });

  it('stops counting at 50 for any record', async () => {
    const dns = new ZoneDnsDriver({
      'example.com': { TXT: [including(1_000)] },
      ...providers(1_000, 'v=spf1 a:h.example -all'),
      'h.example': { A: ['192.0.2.1'] },
    });
    const audit = await auditSpf(dns, 'example.com');
    expect(audit.lookups.used).toBe(50);
    expect(audit.problems[0]?.message).toContain('more than 50 DNS look-ups');
    expect(dns.queries.length).toBeLessThan(60);
  });

  it('stops at 50 where records include ever more records', async () => {
    const dns = new ZoneDnsDriver({
      'example.com': { TXT: ['v=spf1 include:1.deep.example -all'] },
      '*.deep.example': { TXT: ['v=spf1 include:1%{d} include:2%{d} -all'] },
    });
    const audit = await auditSpf(dns, 'example.com');
    expect(audit).toMatchObject({ status: 'fail', lookups: { used: 50 } });
    expect(dns.queries.length).toBeLessThan(60);
  });

  it.each(RECORDS)('of a record that %s', async (_, text, codes, zone) => {
    const audit = await auditOf(text, zone);
    expect(codesOf(audit)).toEqual(codes);
    const worst = ['fail', 'warn'].find((severity) => codes.some((code) => code.startsWith(severity)));
    expect(audit.status).toBe(worst ?? 'pass');
  });

  it('fails two records, and shows the first', async () => {
    const audit = await auditOf(['v=spf1 a -all', 'v=spf1 mx -all']);
    expect(audit).toMatchObject({ status: 'fail', record: 'v=spf1 a -all' });
    expect(audit.problems[0]?.message).toContain('example.com has 2 SPF records');
  });

  it('reports the position of an error', async () => {
    const { record, problems } = await auditOf('v=spf1 ip4:192.0.2.1/33 -all');
    expect(record).toBe('v=spf1 ip4:192.0.2.1/33 -all');
    expect(problems[0]?.message).toBe(
      'In the SPF record of example.com, "ip4:192.0.2.1/33" has the prefix length "33"; IPv4 takes 0 to 32 (at character 21). Receivers treat the whole record as broken (permerror), so that no mail of the domain passes SPF. Correct or remove it.',
    );
  });

  it.each([
    ['hello', 'no_record'],
    ['"v=spf1 -all"', 'misspelt_record'],
    ['v = spf1 -all', 'misspelt_record'],
    ['spf1 -all', 'misspelt_record'],
    ['v=spf1; -all', 'misspelt_record'],
  ])('of a domain with the TXT %s is %s', async (text, code) => {
    expect(await auditOf(text)).toMatchObject({ status: 'fail', record: null, problems: [{ code }] });
  });

  it.each([
    ['gone.example', 'no_such_domain'],
    ['localhost', 'malformed_domain'],
    ['a..example', 'malformed_domain'],
  ])('of %s fails as %s', async (domain, code) => {
    expect(await auditSpf(new ZoneDnsDriver(), domain)).toMatchObject({ status: 'fail', problems: [{ code }] });
  });

  it('shows no control characters, and limits all texts', async () => {
    const { problems } = await auditOf(`v=spf1 foo\r\n${'x'.repeat(10_000)} a:${'y'.repeat(10_000)}`);
    expect(problems).toHaveLength(2);
    for (const { message } of problems) expect(message).toMatch(/^[\x20-\x7e]{20,800}$/);
  });

  it('reports at most 50 errors, worst first', async () => {
    const audit = await auditOf(`v=spf1 ${'x=y '.repeat(100)} include:gone.example -all`);
    expect(audit.problems).toHaveLength(50);
    expect(codesOf(audit).slice(0, 2)).toEqual(['fail include_without_record', 'info unknown_modifier']);
  });

  it('sends each query once', async () => {
    const record = 'v=spf1 a mx include:p0.example a include:p0.example -all';
    const dns = new ZoneDnsDriver({ 'example.com': { TXT: [record], A: ['192.0.2.1'] }, ...providers(1) });
    await auditSpf(dns, 'example.com', { fresh: true });
    expect(dns.queries.map(({ name, type, fresh }) => `${type} ${name} ${String(fresh)}`)).toEqual([
      'TXT example.com true',
      'A example.com true',
      'MX example.com true',
      'TXT p0.example true',
    ]);
  });

  it('is limited for any records, and never throws', async () => {
    const hosts = ['example.com', 'a.example', 'b.example'];
    const names = fc.constantFrom(...hosts, '%{d}', 'x.%{o}', '%{p}', '%{i}.example', 'gone.example', 'slow.example');
    const kinds = fc.constantFrom('include:', '-include:', 'a:', 'mx:', 'ptr:', 'exists:', 'redirect=', 'exp=', 'x=');
    const terms = fc.oneof(
      { weight: 100, arbitrary: fc.tuple(kinds, names).map((parts) => parts.join('')) },
      { weight: 1, arbitrary: fc.constantFrom('foo', 'all', 'ip4:0.0.0.0/0', '\t', 'a/33') },
    );
    const texts = fc.array(terms, { minLength: 5, maxLength: 30 }).map((parts) => ['v=spf1', ...parts].join(' '));
    let most = 0;
    await fc.assert(
      fc.asyncProperty(fc.tuple(texts, texts, texts), async (records) => {
        const zone = Object.fromEntries(hosts.map((host, index) => [host, { TXT: [records[index] ?? ''] }]));
        const dns = new ZoneDnsDriver({ ...zone, 'slow.example': 'timeout' });
        const { status, lookups, problems } = await auditSpf(dns, 'example.com');
        most = Math.max(most, lookups.used);
        const unanswered = problems.some(({ code }) => code === 'dns_no_answer');
        if (unanswered) expect(status).toBe('unknown');
        expect(lookups.used).toBeLessThanOrEqual(51);
        expect(lookups.terms.filter(({ depth }) => depth === 0).reduce((sum, term) => sum + term.lookups, 0)).toBe(
          lookups.used,
        );
        expect(dns.queries.length).toBeLessThanOrEqual(101);
      }),
      { numRuns: 200, seed: 7208 },
    );
    expect(most).toBeGreaterThan(30);
  });
});

describe('the audit of an SPF record without answers', () => {
  it.each(['servfail', 'timeout', 'refused', 'malformed', 'unreachable'] as const)(
    'is unknown for %s',
    async (failure) => {
      const audit = await auditSpf(new ZoneDnsDriver({ 'example.com': failure }), 'example.com');
      expect(audit).toMatchObject({
        status: 'unknown',
        record: null,
        problems: [{ code: 'dns_no_answer', severity: 'info' }],
      });
    },
  );

  it.each([
    ['included record', 'include:slow.example'],
    ['host', 'a:slow.example'],
    ['domain with MX', 'mx:slow.example'],
    ['name that may exist', 'exists:slow.example'],
  ])('is unknown without an answer for an %s', async (_, term) => {
    const audit = await auditOf(`v=spf1 ${term} -all`, { 'slow.example': 'timeout' });
    expect(audit).toMatchObject({ status: 'unknown', record: `v=spf1 ${term} -all`, lookups: { used: 1 } });
    expect(codesOf(audit)).toEqual(['info dns_no_answer']);
  });

  it('is unknown, not a failure, even with another error', async () => {
    const audit = await auditOf('v=spf1 include:slow.example include:gone.example -all', {
      'slow.example': 'servfail',
    });
    expect(audit.status).toBe('unknown');
    expect(codesOf(audit)).toEqual(['fail include_without_record', 'info dns_no_answer']);
  });

  it('ends with the reason of the signal', async () => {
    const over = new AbortController();
    over.abort(new Error('too late'));
    await expect(auditOf('v=spf1 -all', {}, { signal: over.signal })).rejects.toThrow('too late');
  });
});
