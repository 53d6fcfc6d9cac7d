import { HandTimer } from '../testing';
import { type NoSlot, ProviderRateLimiter, type RateLimitSlot } from './provider-rate-limiter';

interface Talk {
  readonly host: string;
}
type Taken = RateLimitSlot<Talk> | NoSlot;

const MINUTE_MS = 60_000;

describe('ProviderRateLimiter', () => {
  let timer: HandTimer;
  beforeEach(() => {
    timer = new HandTimer();
  });

  const pace = (limits: Partial<{ connections: number; gapMs: number; maxProviders: number }> = {}) =>
    new ProviderRateLimiter<Talk>({ connections: 2, gapMs: 0, maxProviders: 100, ...limits }, timer);

  /** The slots granted so far, in order of the requests. */
  async function given(asked: readonly Promise<Taken>[]): Promise<(Taken | null)[]> {
    return Promise.all(asked.map((one) => Promise.race([one, new Promise<null>((r) => setImmediate(r, null))])));
  }

  const take = (
    of: ProviderRateLimiter<Talk>,
    provider = 'p',
    host = 'mx.p',
    withinMs = MINUTE_MS,
    signal?: AbortSignal,
  ) => of.acquire(provider, host, { deadline: timer.now() + withinMs, signal });

  async function taken(asked: Promise<Taken>): Promise<RateLimitSlot<Talk>> {
    const slot = await asked;
    if ('freeInMs' in slot) throw new Error('There was no slot');
    return slot;
  }

  it('limits concurrent connections, and serves waiters in order', async () => {
    const one = pace();
    const asked = [1, 2, 3, 4].map(() => take(one));
    const first = await given(asked);
    expect(first.map((slot) => slot !== null)).toEqual([true, true, false, false]);
    (await taken(asked[1]!)).release(null);
    expect((await given(asked)).map((slot) => slot !== null)).toEqual([true, true, true, false]);
  });

  it('limits providers independently', async () => {
    const one = pace({ connections: 1 });
    const [a, b] = await given([take(one, 'a'), take(one, 'b')]);
    expect([a, b]).toEqual([expect.objectContaining({ session: null }), expect.objectContaining({ session: null })]);
  });

  it('keeps a gap between the starts of two connections', async () => {
    const one = pace({ connections: 5, gapMs: 1_000 });
    const asked = [1, 2, 3].map(() => take(one));
    const count = async () => (await given(asked)).filter((slot) => slot !== null).length;
    expect(await count()).toBe(1);
    timer.advance(999);
    expect(await count()).toBe(1);
    timer.advance(1);
    expect(await count()).toBe(2);
    timer.advance(1_000);
    expect(await count()).toBe(3);
  });

  it('reports at the deadline that no slot was free', async () => {
    const one = pace({ connections: 1 });
    await taken(take(one));
    const late = take(one, 'p', 'mx.p', 5_000);
    timer.advance(4_999);
    expect(await given([late])).toEqual([null]);
    timer.advance(1);
    expect(await late).toEqual({ freeInMs: 0 });
  });

  it('reports at once when the deadline is before the end of the gap', async () => {
    const one = pace({ gapMs: 10_000 });
    await taken(take(one));
    expect(await take(one, 'p', 'mx.p', 5_000)).toEqual({ freeInMs: 10_000 });
  });

  it('leaves the queue with the signal', async () => {
    const one = pace({ connections: 1 });
    const held = await taken(take(one));
    const patience = new AbortController();
    const leaving = take(one, 'p', 'mx.p', MINUTE_MS, patience.signal);
    const next = take(one);
    patience.abort(new Error('enough'));
    await expect(leaving).rejects.toThrow('enough');
    held.release(null);
    expect(await given([next])).toEqual([expect.objectContaining({ session: null })]);
    expect(timer.waiting).toBe(0);
  });

  it('passes a conversation to the next waiter for its host, before waiters for other hosts and without the gap', async () => {
    const one = pace({ connections: 1, gapMs: 5_000 });
    const held = await taken(take(one));
    const other = take(one, 'p', 'mx2.p');
    const same = take(one);
    const talk = { host: 'mx.p' };
    expect(held.release(talk)).toBeNull();
    expect(await given([other, same])).toEqual([null, expect.objectContaining({ session: talk })]);
    expect((await taken(same)).release(talk)).toBe(talk);
    timer.advance(5_000);
    expect(await given([other])).toEqual([expect.objectContaining({ session: null })]);
  });

  it('returns a conversation that has no waiter', async () => {
    const talk = { host: 'mx.p' };
    expect((await taken(take(pace()))).release(talk)).toBe(talk);
  });

  it('applies a cooldown to a refusing provider, doubled each time up to an hour, until it accepts', async () => {
    const one = pace();
    const rests: number[] = [];
    for (let times = 0; times < 8; times += 1) {
      one.startCooldown('p');
      // Another connection receives the same refusal.
      one.startCooldown('p');
      rests.push(one.getCooldownMs('p') / MINUTE_MS);
      timer.advance(one.getCooldownMs('p'));
    }
    expect(rests).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    one.resetCooldown('p');
    one.startCooldown('p');
    expect(one.getCooldownMs('p')).toBe(MINUTE_MS);
  });

  it('rejects waiters whose deadline is before the end of a cooldown, and admits the others after it', async () => {
    const one = pace({ connections: 1 });
    const held = await taken(take(one));
    const soon = take(one, 'p', 'mx.p', 30_000);
    const later = take(one, 'p', 'mx.p', 90_000);
    one.startCooldown('p');
    expect(await soon).toEqual({ freeInMs: MINUTE_MS });
    // A conversation with a provider in cooldown is not reused.
    const talk = { host: 'mx.p' };
    expect(held.release(talk)).toBe(talk);
    expect(await given([later])).toEqual([null]);
    timer.advance(MINUTE_MS);
    expect(await given([later])).toEqual([expect.objectContaining({ session: null })]);
    expect(await take(one, 'q')).toMatchObject({ session: null });
  });

  it('stores a limited number of providers, and drops none in use', async () => {
    const one = pace({ maxProviders: 3 });
    const held = await taken(take(one, 'held'));
    for (let n = 0; n < 50; n += 1) (await taken(take(one, `p${n}`))).release(null);
    expect(one.size).toBe(3);
    const next = take(one, 'held');
    const third = take(one, 'held');
    expect((await given([next, third])).map((slot) => slot !== null)).toEqual([true, false]);
    held.release(null);
    expect(await given([third])).toEqual([expect.objectContaining({ session: null })]);
  });
});
