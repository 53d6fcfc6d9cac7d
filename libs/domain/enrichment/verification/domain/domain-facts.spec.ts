import { parseAddress } from '@platform/outbound';
import { ZoneDnsDriver, type ZoneTable } from '../../../../adapters/dns/testing';
import { type DomainFacts, resolveMailDomain } from './domain-facts';

const PUBLIC = '8.8.4.4';
const PUBLIC_6 = '2a00:1450:4001:c0f::1a';
const DOMAIN = 'example.com';

const mx = (...exchanges: string[]) => ({
  MX: exchanges.map((exchange, at) => ({ exchange, priority: (at + 1) * 10 })),
});
const open = new AbortController().signal;
const allows = (address: string): boolean => parseAddress(address)?.range === 'unicast';
const look = (dns: ZoneDnsDriver) => resolveMailDomain(DOMAIN, { dns, allows, signal: open });
const mail = (first: string, ...others: string[]): DomainFacts => ({ kind: 'mail', hosts: [first, ...others] });

it.each<[string, ZoneTable, DomainFacts]>([
  ['an MX', { [DOMAIN]: mx('a.example'), 'a.example': { A: [PUBLIC] } }, mail('a.example')],
  ['an MX with IPv6 alone', { [DOMAIN]: mx('a.example'), 'a.example': { AAAA: [PUBLIC_6] } }, mail('a.example')],
  [
    'the preferred host first',
    {
      [DOMAIN]: {
        MX: [
          { exchange: 'b.example', priority: 20 },
          { exchange: 'a.example', priority: 5 },
        ],
      },
      '*.example': { A: [PUBLIC] },
    },
    mail('a.example', 'b.example'),
  ],
  [
    'a dead host before a living one',
    { [DOMAIN]: mx('a.example', 'b.example'), 'b.example': { A: [PUBLIC] } },
    mail('b.example'),
  ],
  ['a null MX', { [DOMAIN]: mx('') }, { kind: 'null_mx' }],
  ['a null MX beside another', { [DOMAIN]: mx('', 'a.example'), 'a.example': { A: [PUBLIC] } }, mail('a.example')],
  ['no MX and an address', { [DOMAIN]: { A: [PUBLIC] } }, mail(DOMAIN)],
  ['no MX and an IPv6 address', { [DOMAIN]: { AAAA: [PUBLIC_6] } }, mail(DOMAIN)],
  ['no MX and a private address', { [DOMAIN]: { A: ['10.0.0.1'] } }, { kind: 'hosts_unusable' }],
  ['neither', { [DOMAIN]: { TXT: ['v=spf1 -all'] } }, { kind: 'no_mail_host' }],
  ['no such domain', {}, { kind: 'not_found' }],
  ['a host that does not exist', { [DOMAIN]: mx('a.example') }, { kind: 'hosts_unusable' }],
  ['an address instead of a host', { [DOMAIN]: mx('192.0.2.1') }, { kind: 'hosts_unusable' }],
  ['localhost', { [DOMAIN]: mx('localhost'), localhost: { A: [PUBLIC] } }, { kind: 'hosts_unusable' }],
  [
    'a host with the address of this machine',
    { [DOMAIN]: mx('a.example'), 'a.example': { A: ['127.0.0.1'], AAAA: ['::1'] } },
    { kind: 'hosts_unusable' },
  ],
  [
    'a host that leads back to itself',
    { [DOMAIN]: mx('a.example'), 'a.example': { CNAME: 'a.example' } },
    { kind: 'unanswered' },
  ],
  ['no answer about MX', { [DOMAIN]: 'timeout' }, { kind: 'unanswered' }],
  ['a failing server', { [DOMAIN]: 'servfail' }, { kind: 'unanswered' }],
  ['no answer about the only host', { [DOMAIN]: mx('a.example'), 'a.example': 'servfail' }, { kind: 'unanswered' }],
  [
    'no answer about one host and another that works',
    { [DOMAIN]: mx('a.example', 'b.example'), 'a.example': 'timeout', 'b.example': { A: [PUBLIC] } },
    mail('b.example'),
  ],
  ['no answer about the address without MX', { [DOMAIN]: { A: 'servfail', AAAA: 'servfail' } }, { kind: 'unanswered' }],
  [
    'an alias with MX',
    { [DOMAIN]: { CNAME: 'real.example' }, 'real.example': mx('a.example'), 'a.example': { A: [PUBLIC] } },
    mail('a.example'),
  ],
])('%s', async (_what, zone, facts) => {
  expect((await look(new ZoneDnsDriver(zone))).facts).toEqual(facts);
});

it('needs two queries for a domain whose host has an address', async () => {
  const dns = new ZoneDnsDriver({ [DOMAIN]: mx('a.example', 'b.example'), '*.example': { A: [PUBLIC] } });
  await look(dns);
  expect(dns.queries.map(({ name, type }) => `${type} ${name}`)).toEqual([`MX ${DOMAIN}`, 'A a.example']);
});

it('needs at most 21 queries for any number of hosts', async () => {
  const dns = new ZoneDnsDriver({ [DOMAIN]: mx(...Array.from({ length: 100 }, (_, at) => `h${at}.example`)) });
  expect((await look(dns)).facts).toEqual({ kind: 'hosts_unusable' });
  expect(dns.queries).toHaveLength(21);
});

it('is valid for the shortest TTL of the answers', async () => {
  const zone: ZoneTable = { [DOMAIN]: { ...mx('a.example'), ttl: 900 }, 'a.example': { A: [PUBLIC], ttl: 120 } };
  expect((await look(new ZoneDnsDriver(zone))).ttl).toBe(120);
});
