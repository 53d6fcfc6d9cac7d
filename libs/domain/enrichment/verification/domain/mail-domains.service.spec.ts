import { OutboundAddressService } from '@platform/outbound';
import { FakeClock } from '@testing';
import { ZoneDnsDriver, type ZoneTable } from '../../../../adapters/dns/testing';
import {
  MailDomainsService,
  MAX_DOMAINS,
  MAX_CACHE_MS,
  MIN_CACHE_MS,
  UNANSWERED_CACHE_MS,
} from './mail-domains.service';

const HOST = { A: ['8.8.4.4'], ttl: 86_400 };
const zoneOf = (ttl: number): ZoneTable => ({
  'a.example': { MX: [{ exchange: 'mx.example', priority: 1 }], ttl },
  'mx.example': HOST,
});

function open(zone: ZoneTable, allowPrivate = false) {
  const dns = new ZoneDnsDriver(zone);
  const clock = new FakeClock();
  return { dns, clock, domains: new MailDomainsService(dns, new OutboundAddressService({ allowPrivate }), clock) };
}

it('queries a domain once for concurrent and later callers', async () => {
  const { dns, domains } = open(zoneOf(300));
  const facts = await Promise.all(Array.from({ length: 50 }, () => domains.getFacts('a.example')));
  expect(new Set(facts.map(({ kind }) => kind))).toEqual(new Set(['mail']));
  await domains.getFacts('a.example');
  expect(dns.queries).toHaveLength(2);
});

it.each([
  ['as long as the answer is good', 300, 300_000],
  ['a minute when it may not be kept', 0, MIN_CACHE_MS],
  ['an hour when it is good for a day', 86_400, MAX_CACHE_MS],
])('caches its result for %s', async (_what, ttl, keptMs) => {
  const { dns, clock, domains } = open(zoneOf(ttl));
  await domains.getFacts('a.example');
  clock.advance(keptMs - 1);
  await domains.getFacts('a.example');
  expect(dns.queries).toHaveLength(2);
  clock.advance(1);
  await domains.getFacts('a.example');
  expect(dns.queries).toHaveLength(4);
});

it('does not retry for half a minute after a resolver did not answer', async () => {
  const { dns, clock, domains } = open({ 'a.example': 'timeout' });
  for (let address = 0; address < 10; address += 1) await domains.getFacts('a.example');
  expect(dns.queries).toHaveLength(1);
  clock.advance(UNANSWERED_CACHE_MS);
  expect(await domains.getFacts('a.example')).toEqual({ kind: 'unanswered' });
  expect(dns.queries).toHaveLength(2);
});

it('caches a limited number of domains and evicts the least recently used', async () => {
  const { dns, domains } = open({ '*.example': { MX: [{ exchange: '', priority: 0 }], ttl: 3_600 } });
  await domains.getFacts('first.example');
  await domains.getFacts('second.example');
  for (let at = 0; at < MAX_DOMAINS - 2; at += 1) await domains.getFacts(`d${at}.example`);
  await domains.getFacts('first.example');
  await domains.getFacts('one-more.example');
  const asked = dns.queries.length;
  await domains.getFacts('first.example');
  expect(dns.queries).toHaveLength(asked);
  await domains.getFacts('second.example');
  expect(dns.queries).toHaveLength(asked + 1);
});

it('releases a caller that aborts and answers the others', async () => {
  const { dns, domains } = open(zoneOf(300));
  let answer = (): void => undefined;
  dns.delays = () => new Promise((resolve) => (answer = resolve));
  const patience = new AbortController();
  const hurried = domains.getFacts('a.example', patience.signal);
  const patient = domains.getFacts('a.example');
  const reason = new Error('enough');
  patience.abort(reason);
  await expect(hurried).rejects.toBe(reason);
  dns.delays = undefined;
  answer();
  expect(await patient).toMatchObject({ kind: 'mail' });
});

it('counts private addresses as reachable when the operator allows them', async () => {
  const zone = { 'a.example': { A: ['127.0.0.1'] } };
  expect(await open(zone).domains.getFacts('a.example')).toEqual({ kind: 'hosts_unusable' });
  expect(await open(zone, true).domains.getFacts('a.example')).toEqual({ kind: 'mail', hosts: ['a.example'] });
});
