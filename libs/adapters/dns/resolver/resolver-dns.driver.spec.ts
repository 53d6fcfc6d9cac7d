import { eventually, FakeClock } from '@testing';
import { type Answer } from 'dns-packet';
import { DnsServer } from '../testing/dns-server';
import { type ReceivedQuery } from '../testing/received-query';
import { ResolverDnsDriver, type ResolverOptions } from './resolver-dns.driver';

const SOA = { primary: 'ns.example.com', serial: 7, minimum: 60 };
const NOON = new Date('2026-05-04T12:00:00Z');

describe('ResolverDnsDriver', () => {
  let server: DnsServer;
  let clock: FakeClock;
  beforeEach(async () => {
    clock = new FakeClock();
    clock.freeze(NOON);
    server = await DnsServer.start({
      'example.com': { SOA: [SOA], TXT: ['v=spf1 -all'], ttl: 100 },
      'long.example.com': { A: ['192.0.2.1'], ttl: 1_000_000 },
      'no-time.example.com': { A: ['192.0.2.1'], ttl: 0 },
      'alias.example.com': { CNAME: 'target.example.com', ttl: 10 },
      'target.example.com': { A: ['192.0.2.7'], ttl: 100 },
      '*.many.example.com': { A: ['192.0.2.1'] },
      'slow-denial.example': { SOA: [{ ...SOA, minimum: 86_400 }], ttl: 86_400 },
    });
  });
  afterEach(() => server.close());

  const resolver = (options: Partial<ResolverOptions> = {}) =>
    new ResolverDnsDriver({ servers: [server.address], ...options }, clock);
  const seconds = (count: number) => clock.advance(count * 1_000);
  const asked = () => server.queries.map(({ name }) => name);

  describe('caches answers', () => {
    it('for the TTL of the answer, and returns the remaining TTL', async () => {
      const dns = resolver();
      const ask = () => dns.query('example.com', 'TXT');
      expect(await ask()).toEqual({ kind: 'records', records: ['v=spf1 -all'], ttl: 100 });
      seconds(30);
      expect(await ask()).toEqual({ kind: 'records', records: ['v=spf1 -all'], ttl: 70 });
      seconds(69.5);
      expect(await ask()).toMatchObject({ ttl: 0 });
      expect(server.queries).toHaveLength(1);
      seconds(0.5);
      expect(await ask()).toMatchObject({ ttl: 100 });
      expect(server.queries).toHaveLength(2);
    });

    it('by name and type', async () => {
      const dns = resolver();
      await dns.query('example.com', 'TXT');
      await dns.query('EXAMPLE.com.', 'TXT');
      expect(server.queries).toHaveLength(1);
      await dns.query('example.com', 'MX');
      await dns.query('target.example.com', 'TXT');
      expect(server.queries).toHaveLength(3);
    });

    it('for a day at most', async () => {
      const dns = resolver();
      await dns.query('long.example.com', 'A');
      seconds(86_399);
      await dns.query('long.example.com', 'A');
      expect(server.queries).toHaveLength(1);
      seconds(1);
      await dns.query('long.example.com', 'A');
      expect(server.queries).toHaveLength(2);
    });

    it('not at all when the TTL is zero', async () => {
      const dns = resolver();
      await dns.query('no-time.example.com', 'A');
      await dns.query('no-time.example.com', 'A');
      expect(server.queries).toHaveLength(2);
    });

    it.each([
      ['nobody.example.com', 'A', 'nxdomain', 60],
      ['target.example.com', 'MX', 'nodata', 60],
      ['nobody.slow-denial.example', 'A', 'nxdomain', 3 * 3600],
    ] as const)('including negative answers: %s %s', async (name, type, kind, ttl) => {
      const dns = resolver();
      expect(await dns.query(name, type)).toEqual({ kind, ttl });
      seconds(ttl - 1);
      expect(await dns.query(name, type)).toEqual({ kind, ttl: 1 });
      expect(server.queries).toHaveLength(1);
      seconds(1);
      await dns.query(name, type);
      expect(server.queries).toHaveLength(2);
    });

    it('except negative answers without a TTL', async () => {
      const dns = resolver();
      expect(await dns.query('nobody.without-soa.test', 'A')).toEqual({ kind: 'nxdomain', ttl: 0 });
      await dns.query('nobody.without-soa.test', 'A');
      expect(server.queries).toHaveLength(2);
    });

    it('except failures', async () => {
      const dns = resolver();
      server.does = () => 'servfail';
      expect(await dns.query('example.com', 'TXT')).toMatchObject({ kind: 'servfail' });
      server.does = () => null;
      expect(await dns.query('example.com', 'TXT')).toMatchObject({ kind: 'records' });
    });

    it('up to a maximum number, and evicts the least recently used answer', async () => {
      const dns = resolver({ maxEntries: 2 });
      for (const label of ['a', 'b', 'a', 'c', 'a', 'b']) await dns.query(`${label}.many.example.com`, 'A');
      expect(asked()).toEqual(['a', 'b', 'c', 'b'].map((label) => `${label}.many.example.com`));
    });

    it('separately for each alias', async () => {
      server.resolves = false;
      const dns = resolver();
      expect(await dns.query('alias.example.com', 'A')).toMatchObject({ records: ['192.0.2.7'], ttl: 10 });
      seconds(15);
      expect(await dns.query('alias.example.com', 'A')).toMatchObject({ records: ['192.0.2.7'], ttl: 10 });
      expect(asked()).toEqual(['alias.example.com', 'target.example.com', 'alias.example.com']);
    });
  });

  describe('with a fresh query', () => {
    it('sees recent changes and caches them', async () => {
      const dns = resolver();
      await dns.query('example.com', 'TXT');
      server.zone.change({ 'example.com': { TXT: ['v=spf1 mx -all'] } });
      expect(await dns.query('example.com', 'TXT')).toMatchObject({ records: ['v=spf1 -all'] });
      expect(await dns.query('example.com', 'TXT', { fresh: true })).toMatchObject({ records: ['v=spf1 mx -all'] });
      expect(await dns.query('example.com', 'TXT')).toMatchObject({ records: ['v=spf1 mx -all'] });
      expect(server.queries).toHaveLength(2);
    });

    it('removes deleted records from the cache', async () => {
      const dns = resolver();
      await dns.query('no-soa.test', 'A');
      server.zone.change({ 'no-soa.test': { A: ['192.0.2.5'] } });
      await dns.query('no-soa.test', 'A');
      server.zone.remove('no-soa.test');
      expect(await dns.query('no-soa.test', 'A', { fresh: true })).toMatchObject({ kind: 'nxdomain' });
      expect(await dns.query('no-soa.test', 'A')).toMatchObject({ kind: 'nxdomain' });
    });

    it('does not wait for an older query, whose answer does not replace the newer one', async () => {
      const dns = resolver();
      const old = held();
      server.does = () => ({ answers: [text('old')], after: old.promise });
      const first = dns.query('example.com', 'TXT');
      await eventually('the first is asked', () => server.queries.length === 1);
      server.does = () => ({ answers: [text('new')] });
      expect(await dns.query('example.com', 'TXT', { fresh: true })).toMatchObject({ records: ['new'] });
      old.letGo();
      expect(await first).toMatchObject({ records: ['old'] });
      expect(await dns.query('example.com', 'TXT')).toMatchObject({ records: ['new'] });
    });

    it('is joined by later queries, even if an older query ends in between', async () => {
      const dns = resolver();
      const [old, young] = [held(), held()];
      server.does = () => ({ answers: [text('old')], after: old.promise });
      const first = dns.query('example.com', 'TXT');
      await eventually('the first is asked', () => server.queries.length === 1);
      server.does = () => ({ answers: [text('new')], after: young.promise });
      const second = dns.query('example.com', 'TXT', { fresh: true });
      await eventually('the second is asked', () => server.queries.length === 2);
      old.letGo();
      expect(await first).toMatchObject({ records: ['old'] });
      const third = dns.query('example.com', 'TXT');
      young.letGo();
      expect([await second, await third]).toMatchObject([{ records: ['new'] }, { records: ['new'] }]);
    });
  });

  describe('with concurrent queries', () => {
    it('sends identical queries once', async () => {
      const dns = resolver();
      const answers = await Promise.all(Array.from({ length: 50 }, () => dns.query('example.com', 'TXT')));
      expect(answers.every((answer) => answer.kind === 'records')).toBe(true);
      expect(server.queries).toHaveLength(1);
    });

    it('limits the number of running queries', async () => {
      const dns = resolver({ concurrency: 3 });
      let [underway, most] = [0, 0];
      const gates: (() => void)[] = [];
      server.does = () => {
        most = Math.max(most, (underway += 1));
        const gate = held();
        gates.push(() => {
          underway -= 1;
          gate.letGo();
        });
        return { after: gate.promise };
      };
      const all = Promise.all(Array.from({ length: 10 }, (_, index) => dns.query(`${index}.many.example.com`, 'A')));
      for (let answered = 0; answered < 10; answered += 1) {
        const expected = Math.min(10, answered + 3);
        await eventually(`${expected} came`, () => server.queries.length === expected);
        gates[answered]?.();
      }
      expect((await all).every((answer) => answer.kind === 'records')).toBe(true);
      expect(most).toBe(3);
    });

    it('does not count the wait for a slot as query time, and answers from the cache without a wait', async () => {
      const dns = resolver({ concurrency: 1, timeoutMs: 200, firstWaitMs: 200 });
      await dns.query('known.many.example.com', 'A');
      server.does = ({ name }: ReceivedQuery) => (name.startsWith('silent') ? 'drop' : null);
      const order: string[] = [];
      const note = async (name: string) => {
        const { kind } = await dns.query(name, 'A');
        order.push(`${name.split('.')[0]} ${kind}`);
      };
      await Promise.all(['silent', 'quick', 'known'].map((label) => note(`${label}.many.example.com`)));
      expect(order).toEqual(['known records', 'silent timeout', 'quick records']);
    });

    it('has one timeout for a query with all its aliases', async () => {
      server.resolves = false;
      let first = true;
      server.does = ({ name }: ReceivedQuery) => {
        const drops = first || name === 'target.example.com';
        first = false;
        return drops ? 'drop' : null;
      };
      const dns = resolver({ firstWaitMs: 100, timeoutMs: 140 });
      expect(await dns.query('alias.example.com', 'A')).toMatchObject({ kind: 'timeout' });
      // Enough time for a second attempt, if the timeout started again.
      expect(asked().filter((name) => name === 'target.example.com').length).toBeLessThan(2);
    });

    it('aborts one caller without the others, and stops after the last caller', async () => {
      // A caller that still waits for the first answer exceeds the time limit of this test.
      const dns = resolver({ concurrency: 1, firstWaitMs: 60_000, timeoutMs: 60_000 });
      const gate = held();
      server.does = ({ name }: ReceivedQuery) => (name === 'example.com' ? { after: gate.promise } : null);
      const [one, two] = [new AbortController(), new AbortController()];
      const impatient = dns.query('example.com', 'TXT', { signal: one.signal });
      const patient = dns.query('example.com', 'TXT', { signal: two.signal });
      const next = dns.query('target.example.com', 'A');
      await eventually('it is asked', () => server.queries.length === 1);
      one.abort(new Error('the first has enough'));
      await expect(impatient).rejects.toThrow('the first has enough');
      expect(asked()).toEqual(['example.com']);
      two.abort(new Error('the second has enough'));
      await expect(patient).rejects.toThrow('the second has enough');
      expect(await next).toMatchObject({ records: ['192.0.2.7'] });
      gate.letGo();
    });

    it('returns the answer to the remaining callers', async () => {
      const dns = resolver();
      const gate = held();
      server.does = () => ({ after: gate.promise });
      const leaving = new AbortController();
      const gone = dns.query('example.com', 'TXT', { signal: leaving.signal });
      const patient = dns.query('example.com', 'TXT');
      await eventually('it is asked', () => server.queries.length === 1);
      leaving.abort(new Error('enough'));
      await expect(gone).rejects.toThrow('enough');
      gate.letGo();
      expect(await patient).toMatchObject({ records: ['v=spf1 -all'] });
      expect(server.queries).toHaveLength(1);
    });
  });
});

function held(): { readonly promise: Promise<void>; readonly letGo: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, letGo: () => resolve() };
}

function text(data: string): Answer {
  return { type: 'TXT', name: 'example.com', ttl: 300, class: 'IN', data: [data] };
}
