import { LookupRateLimiter } from './lookup-rate-limiter';
import { BlacklistVirtualTimer } from '../testing/blacklist-virtual-timer';

const forever = new AbortController().signal;

describe('the rate limit of lookups', () => {
  let timer: BlacklistVirtualTimer;
  /** The start times by zone. */
  let began: { zone: string; at: number }[];

  beforeEach(() => {
    timer = new BlacklistVirtualTimer();
    began = [];
  });

  /** A query with this duration. */
  const asks = (pace: LookupRateLimiter, zone: string, tookMs: number, signal = forever) =>
    pace.run(zone, signal, async () => {
      began.push({ zone, at: timer.now() });
      await timer.wait(tookMs);
      return zone;
    });
  const times = (zone: string) => began.filter((one) => one.zone === zone).map(({ at }) => at);

  it('keeps a gap between two queries to one zone, and none between different zones', async () => {
    const pace = new LookupRateLimiter({ inFlightPerZone: 10, gapMs: 20, inFlight: 100 }, timer);
    const all = ['a', 'a', 'b', 'a', 'b'].map((zone) => asks(pace, zone, 5));
    expect(await timer.until(Promise.all(all))).toEqual(['a', 'a', 'b', 'a', 'b']);
    expect({ a: times('a'), b: times('b') }).toEqual({ a: [0, 20, 40], b: [0, 20] });
  });

  it('limits the queries in flight per zone, so that a slow zone gets fewer queries', async () => {
    const pace = new LookupRateLimiter({ inFlightPerZone: 2, gapMs: 10, inFlight: 100 }, timer);
    await timer.until(Promise.all(Array.from({ length: 6 }, () => asks(pace, 'slow', 1_000))));
    expect(times('slow')).toEqual([0, 10, 1_000, 1_010, 2_000, 2_010]);
  });

  it('limits all running queries, and alternates between zones', async () => {
    const pace = new LookupRateLimiter({ inFlightPerZone: 2, gapMs: 0, inFlight: 2 }, timer);
    const all = ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'c'].map((zone) => asks(pace, zone, 100));
    await timer.until(Promise.all(all));
    expect(began.map(({ at }) => at)).toEqual([0, 0, 100, 100, 200, 200, 300, 300]);
    expect({ b: times('b')[0], c: times('c')[0] }).toEqual({ b: 100, c: 200 });
  });

  it('continues when a query fails', async () => {
    const pace = new LookupRateLimiter({ inFlightPerZone: 1, gapMs: 0, inFlight: 1 }, timer);
    const failing = pace.run('a', forever, () => Promise.reject(new Error('no')));
    const next = asks(pace, 'a', 5);
    await expect(failing).rejects.toThrow('no');
    expect(await timer.until(next)).toBe('a');
  });

  it('frees at once only the slot of a caller that stops waiting', async () => {
    const pace = new LookupRateLimiter({ inFlightPerZone: 1, gapMs: 10, inFlight: 1 }, timer);
    const stop = new AbortController();
    const first = asks(pace, 'a', 100);
    const given = asks(pace, 'a', 100, stop.signal);
    const last = asks(pace, 'a', 100);
    stop.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    await timer.until(Promise.all([first, last]));
    expect(times('a')).toEqual([0, 100]);
    await expect(asks(pace, 'a', 1, stop.signal)).rejects.toThrow('enough');
  });

  it('needs the minimum time for many queries to many zones', async () => {
    const pace = new LookupRateLimiter({ inFlightPerZone: 4, gapMs: 20, inFlight: 48 }, timer);
    const all = Array.from({ length: 50 }, (_zone, zone) =>
      Array.from({ length: 100 }, () => asks(pace, `z${zone}`, 30)),
    );
    await timer.until(Promise.all(all.flat()));
    expect(began).toHaveLength(5_000);
    // 5000 queries of 30 ms, 48 at a time: 3.1 s at best.
    expect(timer.now()).toBeLessThan(5_000);
  });
});
