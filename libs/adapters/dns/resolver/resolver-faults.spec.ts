import { FakeClock } from '@testing';
import { type Answer } from 'dns-packet';
import { type ZoneTable } from '../fake/zone';
import { type RecordType } from '../port/dns.port';
import { type Fault } from '../testing/dns-faults';
import { DnsServer } from '../testing/dns-server';
import { type ReceivedQuery } from '../testing/received-query';
import { ResolverDnsDriver, type ResolverOptions } from './resolver-dns.driver';

const NAME = 'www.example.com';
const A = { kind: 'records', records: ['192.0.2.1'], ttl: 300 };
const SOA = { primary: 'ns.example.com', serial: 7, minimum: 60 };
const RECORD: Answer = { type: 'A', name: NAME, ttl: 300, class: 'IN', data: '192.0.2.1' };

const ZONE: ZoneTable = { 'example.com': { SOA: [SOA] }, [NAME]: { A: ['192.0.2.1'] } };

describe('ResolverDns with faults', () => {
  let server: DnsServer;
  let other: DnsServer;
  beforeEach(async () => {
    [server, other] = await Promise.all([DnsServer.start(ZONE), DnsServer.start(ZONE)]);
  });
  afterEach(() => Promise.all([server.close(), other.close()]));

  const resolver = (options: Partial<ResolverOptions> = {}) =>
    new ResolverDnsDriver(
      { servers: [server.address], firstWaitMs: 1_000, timeoutMs: 10_000, ...options },
      new FakeClock(),
    );
  const ask = (type: RecordType = 'A', options?: Partial<ResolverOptions>) => resolver(options).query(NAME, type);
  /** Each fault occurs once. */
  const goesWrong = (...faults: Fault[]) => {
    server.does = () => faults.shift() ?? null;
  };
  const alwaysGoesWrong = (fault: (query: ReceivedQuery) => Fault | null) => {
    server.does = fault;
  };
  const transports = () => server.queries.map(({ transport }) => transport);

  it.each([
    ['servfail', 'servfail'],
    ['refused', 'refused'],
    ['refused', 'formerr'],
    ['refused', 'referral'],
  ] as const)('reports %s from a server, and does not query it again: %s', async (kind, fault) => {
    alwaysGoesWrong(() => fault);
    expect(await ask()).toMatchObject({ kind });
    // FORMERR may concern EDNS only.
    expect(server.queries).toHaveLength(fault === 'formerr' ? 2 : 1);
  });

  it('ends at the timeout, regardless of the remaining rounds', async () => {
    alwaysGoesWrong(() => 'drop');
    expect(await ask('A', { firstWaitMs: 60, timeoutMs: 50 })).toMatchObject({ kind: 'timeout' });
    expect(server.queries).toHaveLength(1);
  });

  describe('with forged answers', () => {
    it.each(['forged-ids', 'forged-source'] as const)('waits for the real answer: %s', async (fault) => {
      goesWrong(fault);
      expect(await ask()).toEqual(A);
      expect(server.queries).toHaveLength(1);
    });

    it('uses an unpredictable id and port for each query', async () => {
      const dns = resolver();
      await Promise.all(Array.from({ length: 40 }, (_, index) => dns.query(`${index}.example.com`, 'A')));
      // With 28 000 ports, two of 40 queries share a port in one of 36 runs, but nine never do.
      expect(new Set(server.queries.map(({ id }) => id)).size).toBeGreaterThan(32);
      expect(new Set(server.queries.map(({ sourcePort }) => sourcePort)).size).toBeGreaterThan(32);
    });

    it.each<readonly [string, readonly Answer[]]>([
      ['of another name', [{ ...RECORD, name: 'bank.example' }]],
      ['of a name below', [{ ...RECORD, name: `x.${NAME}` }]],
      ['of another type', [{ type: 'TXT', name: NAME, ttl: 300, class: 'IN', data: ['192.0.2.1'] }]],
      ['of another class', [{ ...RECORD, class: 'CH' }]],
      ['with a bit that multicast DNS alone has', [{ ...RECORD, flush: true }]],
      ['of an alias that is not ours', [cname('a.example', 'b.example'), { ...RECORD, name: 'b.example' }]],
    ])('ignores a record %s', async (_, answers) => {
      alwaysGoesWrong(() => ({ answers }));
      const dns = resolver();
      expect(await dns.query(NAME, 'A')).toEqual({ kind: 'nodata', ttl: 0 });
      server.does = () => null;
      expect(await dns.query('bank.example', 'A')).toMatchObject({ kind: 'nxdomain' });
      expect(await dns.query('b.example', 'A')).toMatchObject({ kind: 'nxdomain' });
    });

    it('finds the right record among many others, regardless of case', async () => {
      const answers = [{ ...RECORD, name: 'bank.example' }, { ...RECORD, name: 'wWw.eXample.COM' }, cname('x', NAME)];
      alwaysGoesWrong(() => ({ answers }));
      expect(await ask()).toEqual(A);
    });

    it('uses no SOA of another zone for a negative answer', async () => {
      const soa = { mname: 'ns.bank.example', rname: 'x.bank.example', minimum: 3600 };
      const authorities: Answer[] = [{ type: 'SOA', name: 'bank.example', ttl: 3600, class: 'IN', data: soa }];
      alwaysGoesWrong(() => ({ rcode: 3, answers: [], authorities }));
      expect(await ask()).toEqual({ kind: 'nxdomain', ttl: 0 });
    });
  });

  describe('with an answer that is too long for UDP', () => {
    const texts = (count: number) => Array.from({ length: count }, (_, index) => `${index}:`.padEnd(255, 'x'));
    const overTcp = (fault: Fault) => alwaysGoesWrong(({ transport }) => (transport === 'udp' ? 'truncated' : fault));

    it('queries over TCP, and ignores the truncated UDP answer', async () => {
      goesWrong('truncated');
      expect(await ask()).toEqual(A);
      expect(transports()).toEqual(['udp', 'tcp']);
    });

    it.each([
      ['many texts', texts(225)],
      ['one text', ['y'.repeat(64_000)]],
    ])('returns 64 kilobytes completely: %s', async (_, TXT) => {
      server.zone.change({ [NAME]: { TXT } });
      expect(await ask('TXT')).toEqual({ kind: 'records', records: TXT, ttl: 300 });
      expect(transports()).toEqual(['udp', 'tcp']);
    });

    it('discards bytes after the answer', async () => {
      overTcp('flood');
      expect(await ask()).toEqual(A);
    });
  });

  describe('with an old server', () => {
    it('offers 1232 octets', async () => {
      await ask();
      expect(server.queries).toMatchObject([{ payloadOctets: 1232 }]);
    });

    it.each(['formerr-to-edns', 'notimp-to-edns', 'badvers'] as const)(
      'retries without EDNS after this: %s',
      async (fault) => {
        alwaysGoesWrong(() => fault);
        expect(await ask()).toEqual(A);
        expect(server.queries).toMatchObject([{ payloadOctets: 1232 }, { payloadOctets: null }]);
      },
    );
  });

  describe('with a second server', () => {
    const both = () => ({ servers: [server.address, other.address] });

    it.each(['servfail', 'refused', 'garbage'] as const)('queries the second server after this: %s', async (fault) => {
      alwaysGoesWrong(() => fault);
      expect(await ask('A', both())).toEqual(A);
      expect([server.queries.length, other.queries.length]).toEqual([1, 1]);
    });

    it('queries the second server when the first is unreachable', async () => {
      await server.close();
      expect(await ask('A', both())).toEqual(A);
    });
  });

  describe('with invalid records', () => {
    it.each([
      ['an address of three octets', octets(1, [192, 0, 2])],
      ['an address of five octets', octets(1, [192, 0, 2, 1, 1])],
      ['a text that ends before its end', octets(16, [200, 65, 66])],
      ['a preference without a host', octets(15, [0, 10])],
      ['an alias that points at itself', octets(5, [0xc0, 0x2d])],
    ])('reports a malformed answer: %s', async (_, record) => {
      alwaysGoesWrong(() => ({ answers: [record] }));
      const type = ({ 1: 'A', 5: 'A', 15: 'MX', 16: 'TXT' } as const)[record.number];
      expect(await ask(type, { firstWaitMs: 100 })).toMatchObject({ kind: 'malformed' });
    });

    it('limits TTLs to a day, and treats an out-of-range TTL as zero', async () => {
      alwaysGoesWrong(() => ({ answers: [{ ...RECORD, ttl: 1_000_000 }] }));
      expect(await ask()).toMatchObject({ ttl: 86_400 });
      alwaysGoesWrong(() => ({ answers: [{ ...RECORD, ttl: 0x80000000 }] }));
      expect(await ask()).toMatchObject({ ttl: 0 });
    });

    it('uses the smallest TTL of all records, including aliases', async () => {
      const answers = [
        { ...cname(NAME, 'a.example'), ttl: 70 },
        { ...RECORD, name: 'a.example' },
      ];
      alwaysGoesWrong(() => ({ answers }));
      expect(await ask()).toMatchObject({ ttl: 70 });
      alwaysGoesWrong(() => ({ answers: [RECORD, { ...RECORD, data: '192.0.2.2', ttl: 20 }] }));
      expect(await ask()).toMatchObject({ ttl: 20 });
    });
  });
});

describe('ResolverDns and aliases', () => {
  const chain = (length: number): ZoneTable => {
    const aliases = Array.from(
      { length },
      (_, index) => [`${index}.example`, { CNAME: `${index + 1}.example` }] as const,
    );
    return { ...Object.fromEntries(aliases), [`${length}.example`]: { A: ['192.0.2.1'] } };
  };

  it.each([
    [true, 1],
    [false, 13],
  ])('follows twelve aliases (the server follows them: %s)', async (resolves, questions) => {
    const server = await DnsServer.start(chain(12), { resolves });
    const dns = new ResolverDnsDriver({ servers: [server.address] }, new FakeClock());
    expect(await dns.query('0.example', 'A')).toEqual(A);
    expect(server.queries).toHaveLength(questions);
    await server.close();
  });

  it('does not follow thirteen aliases', async () => {
    const server = await DnsServer.start(chain(13), { resolves: false });
    const dns = new ResolverDnsDriver({ servers: [server.address] }, new FakeClock());
    expect(await dns.query('0.example', 'A')).toMatchObject({ kind: 'servfail' });
    await server.close();
  });

  it.each([
    ['thirteen', Array.from({ length: 13 }, (_, index) => cname(`${index}.example`, `${index + 1}.example`))],
    ['one that leads to itself', [cname('0.example', '0.example')]],
    ['a loop', [cname('0.example', '1.example'), cname('1.example', '0.example')]],
  ])('does not follow them within one answer either: %s', async (_, aliases) => {
    const server = await DnsServer.start();
    server.does = () => ({ answers: [...aliases, { ...RECORD, name: '13.example' }] });
    const dns = new ResolverDnsDriver({ servers: [server.address] }, new FakeClock());
    expect(await dns.query('0.example', 'A')).toMatchObject({ kind: 'servfail' });
    expect(server.queries).toHaveLength(1);
    await server.close();
  });
});

function cname(name: string, data: string): Answer {
  return { type: 'CNAME', name, ttl: 300, class: 'IN', data };
}

/** A record of any type with any data, which the codec writes for unknown types. */
function octets(number: 1 | 5 | 15 | 16, data: readonly number[]): Answer & { number: 1 | 5 | 15 | 16 } {
  const record = { type: `UNKNOWN_${number}`, name: NAME, ttl: 300, class: 'IN', data: Buffer.from(data) };
  return { ...(record as unknown as Answer), number };
}
