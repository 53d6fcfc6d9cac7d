import { type WorkspaceScope } from '@domain/access';
import { RateLimiter } from '@platform/concurrency';
import { BlacklistFixture } from '../testing/blacklist-fixture';
import { VirtualTimer } from '@testing';

const MAILBOXES = 500;
const ADDRESS_ZONES = 40;
const DOMAIN_ZONES = 10;
const PACE = { perKey: 4, gapMs: 20, total: 48 };
/** Milliseconds per answer. */
const TAKES_MS = 30;
const SLOW_MS = 400;

const named = (prefix: string, count: number) => Array.from({ length: count }, (_, at) => `${prefix}${at}.test`);
const ADDRESSES = named('bl', ADDRESS_ZONES);
const DOMAINS = named('dbl', DOMAIN_ZONES);

/** Queries per zone: number, maximum concurrency, and minimum gap. */
class Watched {
  asked = 0;
  inFlight = 0;
  peak = 0;
  leastGap = Infinity;
  #lastAt = -Infinity;

  begins(at: number): void {
    this.asked += 1;
    this.inFlight += 1;
    this.peak = Math.max(this.peak, this.inFlight);
    this.leastGap = Math.min(this.leastGap, at - this.#lastAt);
    this.#lastAt = at;
  }
}

describe('a test of 500 mailboxes in 50 zones', () => {
  let fixture: BlacklistFixture;
  let workspace: WorkspaceScope;
  const LISTED = { A: ['127.0.0.2'] };

  beforeAll(async () => {
    const zones = [
      ...ADDRESSES.map((zone) => ({ zone, kind: 'ipv4' })),
      ...DOMAINS.map((zone) => ({ zone, kind: 'domain' })),
    ];
    const points = [...ADDRESSES.map((zone) => `2.0.0.127.${zone}`), ...DOMAINS.map((zone) => `test.${zone}`)];
    fixture = await BlacklistFixture.open(zones, Object.fromEntries(points.map((name) => [name, LISTED])));
    workspace = await fixture.workspace();
  });
  afterAll(() => fixture.close());

  it('respects the limits, queries each subject once per zone, and finishes in the expected time', async () => {
    const timer = new VirtualTimer();
    const zones = new Map<string, Watched>();
    const all = new Watched();
    fixture.dns.delays = async ({ name }) => {
      const zone = name.split('.').slice(-2).join('.');
      const watched = zones.get(zone) ?? new Watched();
      zones.set(zone, watched);
      for (const one of [watched, all]) one.begins(timer.now());
      await timer.wait(zone === 'bl7.test' ? SLOW_MS : TAKES_MS);
      for (const one of [watched, all]) one.inFlight -= 1;
    };
    // One zone lists an address, another all domains.
    fixture.publish({ '3.2.6.5.bl0.test': LISTED, '*.example.dbl3.test': LISTED });
    const mailboxes = Array.from({ length: MAILBOXES }, (_, at) => ({
      email: `ada@d${at}.example`,
      smtpHost: `5.6.${Math.floor(at / 250) + 2}.${(at % 250) + 1}`,
    }));
    const { _id } = await fixture.begin(workspace, ...(await fixture.mailboxes(workspace, mailboxes)));
    const began = timer.now();
    await timer.until(fixture.run(workspace, _id, undefined, fixture.worker(new RateLimiter(PACE, timer))));
    const seconds = (timer.now() - began) / 1_000;
    const test = await fixture.read(workspace, _id);
    expect(test).toMatchObject({
      status: 'completed',
      overallSummary: { totalChecked: 500, clean: 0, blacklisted: 500 },
      progress: { done: MAILBOXES * 50, total: MAILBOXES * 50 },
    });
    const selfTests = 2 * 50;
    const reasons = MAILBOXES + 1;
    expect(all.asked).toBe(MAILBOXES * 50 + selfTests + reasons);
    expect(all.peak).toBeLessThanOrEqual(PACE.total);
    expect(zones.size).toBe(50);
    for (const { asked, peak, leastGap } of zones.values()) {
      expect(asked).toBeLessThanOrEqual(2 * MAILBOXES + 2);
      expect(peak).toBeLessThanOrEqual(PACE.perKey);
      expect(leastGap).toBeGreaterThanOrEqual(PACE.gapMs);
    }
    expect(await fixture.events(workspace, 'mailbox.blacklisted')).toHaveLength(MAILBOXES);
    // The slow zone needs 500 times 400 ms, four at a time: 50 s at best; all others together need less.
    expect(seconds).toBeLessThan(120);
  });
});
