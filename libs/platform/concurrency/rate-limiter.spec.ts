import fc from 'fast-check';
import { VirtualTimer } from '@testing';
import { type NoSlot, RateLimiter, type RateLimits, type Slot } from './rate-limiter';

interface Talk {
  readonly host: string;
}
type Taken = Slot<Talk> | NoSlot;

const MINUTE_MS = 60_000;
const forever = new AbortController().signal;
const FREE = expect.objectContaining({ continued: null }) as unknown;

describe('RateLimiter', () => {
  let timer: VirtualTimer;
  /** The start times by key. */
  let began: { key: string; at: number }[];
  beforeEach(() => {
    timer = new VirtualTimer();
    began = [];
  });

  /** Work with this duration. */
  const works = (limiter: RateLimiter, key: string, tookMs: number, signal = forever) =>
    limiter.run(key, signal, async () => {
      began.push({ key, at: timer.now() });
      await timer.wait(tookMs);
      return key;
    });
  const times = (key: string) => began.filter((one) => one.key === key).map(({ at }) => at);

  const create = (limits: Partial<RateLimits> = {}) =>
    new RateLimiter<Talk>({ perKey: 2, cooldown: { firstMs: MINUTE_MS, longestMs: 60 * MINUTE_MS }, ...limits }, timer);
  const take = (of: RateLimiter<Talk>, key = 'p', host = 'mx.p', withinMs = MINUTE_MS, signal?: AbortSignal) =>
    of.acquire(key, { deadline: timer.now() + withinMs, signal, accepts: (left) => left.host === host });
  /** The slots granted so far, in order of the requests. */
  const granted = (requests: readonly Promise<Taken>[]): Promise<(Taken | null)[]> =>
    Promise.all(requests.map((one) => Promise.race([one, new Promise<null>((r) => setImmediate(r, null))])));
  async function taken(requests: Promise<Taken>): Promise<Slot<Talk>> {
    const slot = await requests;
    if ('freeInMs' in slot) throw new Error('There was no slot');
    return slot;
  }

  describe('running work', () => {
    it('keeps a gap between two starts of one key, and none between different keys', async () => {
      const limiter = new RateLimiter({ perKey: 10, gapMs: 20, total: 100 }, timer);
      const all = ['a', 'a', 'b', 'a', 'b'].map((key) => works(limiter, key, 5));
      expect(await timer.until(Promise.all(all))).toEqual(['a', 'a', 'b', 'a', 'b']);
      expect({ a: times('a'), b: times('b') }).toEqual({ a: [0, 20, 40], b: [0, 20] });
    });

    it('limits concurrency per key, so that a slow key gets less', async () => {
      const limiter = new RateLimiter({ perKey: 2, gapMs: 10, total: 100 }, timer);
      await timer.until(Promise.all(Array.from({ length: 6 }, () => works(limiter, 'slow', 1_000))));
      expect(times('slow')).toEqual([0, 10, 1_000, 1_010, 2_000, 2_010]);
    });

    it('limits all work, and alternates between keys', async () => {
      const limiter = new RateLimiter({ perKey: 2, total: 2 }, timer);
      const all = ['a', 'a', 'a', 'a', 'a', 'a', 'b', 'c'].map((key) => works(limiter, key, 100));
      await timer.until(Promise.all(all));
      expect(began.map(({ at }) => at)).toEqual([0, 0, 100, 100, 200, 200, 300, 300]);
      expect({ b: times('b')[0], c: times('c')[0] }).toEqual({ b: 100, c: 200 });
    });

    it('continues after a failure, which only its caller gets', async () => {
      const limiter = new RateLimiter({ perKey: 1, total: 1 }, timer);
      const failing = limiter.run('a', forever, () => Promise.reject(new Error('no')));
      const next = works(limiter, 'a', 5);
      await expect(failing).rejects.toThrow('no');
      expect(await timer.until(next)).toBe('a');
    });

    it('frees at once only the place of a caller that stops waiting', async () => {
      const limiter = new RateLimiter({ perKey: 1, gapMs: 10, total: 1 }, timer);
      const stop = new AbortController();
      const first = works(limiter, 'a', 100);
      const leaving = works(limiter, 'a', 100, stop.signal);
      const last = works(limiter, 'a', 100);
      stop.abort(new Error('enough'));
      await expect(leaving).rejects.toThrow('enough');
      await timer.until(Promise.all([first, last]));
      expect(times('a')).toEqual([0, 100]);
      await expect(works(limiter, 'a', 1, stop.signal)).rejects.toThrow('enough');
    });

    it('needs the minimum time for much work of many keys', async () => {
      const limiter = new RateLimiter({ perKey: 4, gapMs: 20, total: 48 }, timer);
      const all = Array.from({ length: 50 }, (_key, key) =>
        Array.from({ length: 100 }, () => works(limiter, `z${key}`, 30)),
      );
      await timer.until(Promise.all(all.flat()));
      expect(began).toHaveLength(5_000);
      // 5000 times 30 ms, 48 at a time: 3.1 s at best.
      expect(timer.now()).toBeLessThan(5_000);
    });
  });

  describe('slots', () => {
    it('go to as many callers as allowed, and to the others in order', async () => {
      const one = create();
      const requests = [1, 2, 3, 4].map(() => take(one));
      expect((await granted(requests)).map((slot) => slot !== null)).toEqual([true, true, false, false]);
      (await taken(requests[1]!)).release();
      expect((await granted(requests)).map((slot) => slot !== null)).toEqual([true, true, true, false]);
    });

    it('are released once, however often it is called', async () => {
      const one = create({ perKey: 1 });
      const first = await taken(take(one));
      const talk = { host: 'mx.q' };
      expect([first.release(talk), first.release(talk)]).toEqual([talk, talk]);
      await taken(take(one));
      expect(await granted([take(one)])).toEqual([null]);
    });

    it('are refused at the deadline', async () => {
      const one = create({ perKey: 1 });
      await taken(take(one));
      const late = take(one, 'p', 'mx.p', 5_000);
      timer.advance(4_999);
      expect(await granted([late])).toEqual([null]);
      timer.advance(1);
      expect(await late).toEqual({ freeInMs: 0 });
    });

    it('are refused at once when the deadline is before the end of the gap', async () => {
      const one = create({ gapMs: 10_000 });
      await taken(take(one));
      expect(await take(one, 'p', 'mx.p', 5_000)).toEqual({ freeInMs: 10_000 });
    });

    it('leave nothing behind for a caller that stops waiting', async () => {
      const one = create({ perKey: 1, gapMs: 10 });
      const holder = await taken(take(one));
      const stop = new AbortController();
      const leaving = take(one, 'p', 'mx.p', MINUTE_MS, stop.signal);
      stop.abort(new Error('enough'));
      await expect(leaving).rejects.toThrow('enough');
      expect(timer.waiting).toBe(0);
      const next = take(one);
      holder.release();
      timer.advance(10);
      expect(await granted([next])).toEqual([FREE]);
      expect(timer.waiting).toBe(0);
    });

    it('pass what is left over to the first caller that accepts it, without the gap', async () => {
      const one = create({ perKey: 1, gapMs: 5_000 });
      const holder = await taken(take(one));
      const [other, same] = [take(one, 'p', 'mx2.p'), take(one)];
      const talk = { host: 'mx.p' };
      expect(holder.release(talk)).toBeNull();
      expect(await granted([other, same])).toEqual([null, expect.objectContaining({ continued: talk })]);
      expect((await taken(same)).release(talk)).toBe(talk);
      timer.advance(5_000);
      expect(await granted([other])).toEqual([FREE]);
    });
  });

  describe('a cooldown', () => {
    it('doubles with each refusal up to the longest, until the server accepts', () => {
      const one = create();
      const rests: number[] = [];
      for (let times = 0; times < 8; times += 1) {
        one.coolDown('p');
        // Another caller receives the same refusal.
        one.coolDown('p');
        rests.push(one.getCooldownMs('p') / MINUTE_MS);
        timer.advance(one.getCooldownMs('p'));
      }
      expect(rests).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
      one.resetCooldown('p');
      one.coolDown('p');
      expect(one.getCooldownMs('p')).toBe(MINUTE_MS);
    });

    it('that the server states is the longest one', () => {
      const one = create();
      one.coolDown('p', 5_000);
      one.coolDown('p', 1_000);
      expect(one.getCooldownMs('p')).toBe(5_000);
      timer.advance(4_999);
      expect(one.getCooldownMs('p')).toBe(1);
      timer.advance(1_001);
      expect([one.getCooldownMs('p'), one.getCooldownMs('q')]).toEqual([0, 0]);
    });

    it('refuses callers whose deadline is before its end, and serves the others after it', async () => {
      const one = create({ perKey: 1 });
      const holder = await taken(take(one));
      const soon = take(one, 'p', 'mx.p', 30_000);
      const later = take(one, 'p', 'mx.p', 90_000);
      one.coolDown('p');
      expect(await soon).toEqual({ freeInMs: MINUTE_MS });
      const talk = { host: 'mx.p' };
      expect(holder.release(talk)).toBe(talk);
      expect(await granted([later])).toEqual([null]);
      timer.advance(MINUTE_MS);
      expect(await granted([later])).toEqual([FREE]);
      expect(await take(one, 'q')).toMatchObject({ continued: null });
    });

    it('refuses callers for whom it is too long, new ones and those that wait', async () => {
      const one = create({ perKey: 1 });
      const holder = await taken(take(one));
      const patient = one.acquire('p', { maxCooldownMs: 10_000 });
      const impatient = one.acquire('p', { maxCooldownMs: 0 });
      one.coolDown('p', 8_000);
      expect(await granted([patient, impatient])).toEqual([null, { freeInMs: 8_000 }]);
      holder.release();
      timer.advance(8_000);
      expect(await granted([patient])).toEqual([FREE]);
      one.coolDown('p', 12_000);
      expect(await one.acquire('p', { maxCooldownMs: 10_000 })).toEqual({ freeInMs: 12_000 });
    });
  });

  it('stores a limited number of keys, and drops none in use', async () => {
    const one = create({ maxKeys: 3 });
    const holder = await taken(take(one, 'holder'));
    for (let n = 0; n < 50; n += 1) (await taken(take(one, `p${n}`))).release();
    expect(one.size).toBe(3);
    const [next, third] = [take(one, 'holder'), take(one, 'holder')];
    expect((await granted([next, third])).map((slot) => slot !== null)).toEqual([true, false]);
    holder.release();
    expect(await granted([third])).toEqual([FREE]);
  });

  it('never exceeds its limits, and serves every caller, whatever they do', async () => {
    const job = fc.record({
      key: fc.constantFrom('a', 'b', 'c'),
      afterMs: fc.nat(50),
      tookMs: fc.nat(40),
      cooldownMs: fc.option(fc.nat(100), { nil: undefined }),
      leavesAfterMs: fc.option(fc.nat(60), { nil: undefined }),
    });
    const limits = fc.record({
      perKey: fc.integer({ min: 1, max: 3 }),
      total: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      gapMs: fc.nat(20),
    });
    const property = fc.asyncProperty(limits, fc.array(job, { maxLength: 30 }), async ({ total, ...rest }, jobs) => {
      const clock = new VirtualTimer();
      const limiter = new RateLimiter({ ...rest, ...(total !== undefined && { total }) }, clock);
      const running = new Map<string, number>();
      const startedAt = new Map<string, number>();
      const cooldowns: { readonly of: string; readonly since: number; readonly until: number }[] = [];
      const count = (key: string, by: number) => running.set(key, (running.get(key) ?? 0) + by);
      const run = async ({ key, afterMs, tookMs, cooldownMs, leavesAfterMs }: (typeof jobs)[number]) => {
        await clock.wait(afterMs);
        const leave = new AbortController();
        const cancel = leavesAfterMs === undefined ? undefined : clock.after(leavesAfterMs, () => leave.abort());
        const work = async () => {
          cancel?.();
          const now = clock.now();
          expect(now - (startedAt.get(key) ?? -Infinity)).toBeGreaterThanOrEqual(rest.gapMs);
          // A slot that was granted at the moment of the refusal, before it, is used.
          expect(cooldowns.filter(({ of, since, until }) => of === key && since < now && now < until)).toEqual([]);
          startedAt.set(key, now);
          count(key, 1);
          expect(running.get(key)).toBeLessThanOrEqual(rest.perKey);
          expect([...running.values()].reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(total ?? Infinity);
          await clock.wait(tookMs);
          if (cooldownMs !== undefined) {
            limiter.coolDown(key, cooldownMs);
            cooldowns.push({ of: key, since: clock.now(), until: clock.now() + cooldownMs });
          }
          count(key, -1);
        };
        await limiter.run(key, leave.signal, work).catch((error: unknown) => {
          if (!leave.signal.aborted) throw error;
        });
        cancel?.();
      };
      await clock.until(Promise.all(jobs.map(run)));
      expect([...running.values()].every((one) => one === 0)).toBe(true);
      expect(clock.waiting).toBe(0);
    });
    await fc.assert(property, { numRuns: 200 });
  });
});
