import { ZoneDnsDriver } from '../../../../adapters/dns/testing';
import { type BlacklistZone } from './zone';
import { toZones } from './zones-file';
import { VirtualTimer } from '@testing';
import { RateLimiter } from '@platform/concurrency';
import { ZoneLookupsService } from './zone-lookups.service';

const forever = new AbortController().signal;
const KEY = 'canarykey';
const PACE = { perKey: 2, gapMs: 10, total: 48 };
const entry = (kind: string) => ({ zone: 'bl.test', kind, suffix: `${KEY}.bl.test` });
const zones = toZones(JSON.stringify({ base: 'none', zones: [entry('ipv4'), entry('ipv6'), entry('domain')] }), []);
const [ipv4, ipv6, domain] = zones as [BlacklistZone, BlacklistZone, BlacklistZone];

describe('lookups in zones', () => {
  it('respect the rate limit of a zone that lists addresses of both families', async () => {
    const timer = new VirtualTimer();
    const dns = new ZoneDnsDriver();
    let [inFlight, peak] = [0, 0];
    const began: number[] = [];
    dns.delays = async () => {
      began.push(timer.now());
      peak = Math.max(peak, (inFlight += 1));
      await timer.wait(100);
      inFlight -= 1;
    };
    const lookups = new ZoneLookupsService(dns, new RateLimiter(PACE, timer));
    const all = [1, 2].flatMap((at) => [
      lookups.query(ipv4, { subject: `5.6.7.${at}`, kind: 'ipv4' }, forever),
      lookups.query(ipv6, { subject: `2a00::${at}`, kind: 'ipv6' }, forever),
    ]);
    await timer.until(Promise.all(all));
    expect(peak).toBe(2);
    expect(began).toEqual([0, 10, 100, 110]);
  });

  it.each(['servfail', 'refused', 'timeout', 'malformed', 'unreachable'] as const)(
    'report a missing answer (%s) without the text of DNS, which contains the operator’s key or server',
    async (failure) => {
      const dns = new ZoneDnsDriver({ [`*.${KEY}.bl.test`]: failure });
      const { result, meaning } = await new ZoneLookupsService(dns, new RateLimiter(PACE)).query(
        domain,
        { subject: 'acme.example', kind: 'domain' },
        forever,
      );
      expect(result).toBe('unknown');
      expect(meaning).toMatch(/\w/);
      expect(meaning).not.toContain(KEY);
    },
  );

  it.each([
    ['on one line', ['Seen in spam,\r\n see\thttps://bl.test'], 'Seen in spam, see https://bl.test'],
    ['of several texts', ['Spam', 'Complaints'], 'Spam Complaints'],
    ['as UTF-8', [Buffer.from('Gelöscht \u202egn', 'utf8').toString('latin1')], 'Gelöscht gn'],
    ['not for ever', ['x'.repeat(900)], 'x'.repeat(500)],
    ['not at all when there is none', [' '], null],
  ])('return the reason of a listing %s', async (_how, TXT, reason) => {
    const dns = new ZoneDnsDriver({ [`acme.example.${KEY}.bl.test`]: { A: ['127.0.0.2'], TXT } });
    const lookups = new ZoneLookupsService(dns, new RateLimiter(PACE));
    const answer = await lookups.query(domain, { subject: 'acme.example', kind: 'domain' }, forever);
    expect(answer).toMatchObject({ result: 'listed', reason });
  });

  it('never reveal the key in an alias loop', async () => {
    const dns = new ZoneDnsDriver({ [`*.${KEY}.bl.test`]: { CNAME: 'a.test' }, 'a.test': { CNAME: 'a.test' } });
    const lookups = new ZoneLookupsService(dns, new RateLimiter(PACE));
    const { meaning } = await lookups.query(domain, { subject: 'acme.example', kind: 'domain' }, forever);
    const { outcome, detail } = await lookups.runSelfTest(domain, forever);
    expect(outcome).toBe('silent');
    expect([meaning, detail].join()).not.toContain(KEY);
  });
});
