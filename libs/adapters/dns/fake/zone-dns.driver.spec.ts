import { ZoneDnsDriver } from './zone-dns.driver';
import { type FailureKind, type ZoneTable } from './zone';

const A = { A: ['192.0.2.1'] };

describe('ZoneDnsDriver', () => {
  const kindOf = async (table: ZoneTable, name: string) => (await new ZoneDnsDriver(table).query(name, 'A')).kind;

  it('records its questions, but not invalid names', async () => {
    const dns = new ZoneDnsDriver({ 'a.example': A, 'b.example': { CNAME: 'a.example' } });
    await dns.query('B.example', 'A');
    await dns.query('b.example', 'MX', { fresh: true });
    await dns.query('b..example', 'A');
    expect(dns.queries).toEqual([
      { name: 'b.example', type: 'A', fresh: false },
      { name: 'b.example', type: 'MX', fresh: true },
    ]);
  });

  it.each<FailureKind>(['servfail', 'timeout', 'refused', 'malformed', 'unreachable'])(
    'fails with %s as the table says: for a name, one of its types, a wildcard, or the target of an alias',
    async (kind) => {
      const table = {
        'all.example': kind,
        'one.example': { A: kind, TXT: ['here'] },
        '*.wild.example': kind,
        'alias.example': { CNAME: 'all.example' },
      };
      for (const name of ['all.example', 'one.example', 'x.wild.example', 'alias.example']) {
        expect(await kindOf(table, name)).toBe(kind);
      }
      expect(await new ZoneDnsDriver(table).query('one.example', 'TXT')).toMatchObject({ records: ['here'] });
    },
  );

  it.each([
    ['records', 'a.example'],
    // RFC 4592, section 2.2.1: a wildcard does not match existing names and names below them.
    ['records', 'x.example'],
    ['records', 'x.y.example'],
    ['nodata', 'example'],
    ['nodata', 'host.example'],
    ['nxdomain', 'x.host.example'],
    ['records', 'sub.host.example'],
    ['records', '*.example'],
    ['nxdomain', 'x.*.example'],
    ['records', 'anything'],
  ])('returns %s for %s', async (kind, name) => {
    const table = { '*': A, '*.example': A, 'a.example': A, 'host.example': { TXT: ['t'] }, 'sub.host.example': A };
    expect(await kindOf(table, name)).toBe(kind);
  });

  it('can change between queries', async () => {
    const dns = new ZoneDnsDriver({ 'a.b.example': A });
    dns.zone.change({ 'a.b.example': { TXT: ['now'] }, 'c.example': A });
    expect(await dns.query('a.b.example', 'A')).toMatchObject({ kind: 'nodata' });
    dns.zone.remove('a.b.example', 'unknown.example');
    expect(await dns.query('b.example', 'A')).toMatchObject({ kind: 'nxdomain' });
    expect(await dns.query('c.example', 'A')).toMatchObject({ kind: 'records' });
  });

  it('delays answers, and ends queries whose caller aborts', async () => {
    const dns = new ZoneDnsDriver({ 'a.example': A });
    const { promise, resolve } = Promise.withResolvers<void>();
    dns.delays = () => promise;
    const patience = new AbortController();
    const impatient = dns.query('a.example', 'A', { signal: patience.signal });
    const patient = dns.query('a.example', 'A');
    patience.abort(new Error('enough'));
    await expect(impatient).rejects.toThrow('enough');
    resolve();
    expect(await patient).toMatchObject({ kind: 'records' });
  });

  it.each<readonly [string, ZoneTable]>([
    ['an alias beside other records', { 'a.example': { CNAME: 'b.example', A: ['192.0.2.1'] } }],
    ['a text of characters that are no bytes', { 'a.example': { TXT: ['\u2603'] } }],
    ['a name that cannot be', { 'a..example': A }],
  ])('refuses %s', (_, table) => {
    expect(() => new ZoneDnsDriver(table)).toThrow(/a\.\.?example/);
  });
});
