import { GraphRateLimiter } from './graph-rate-limiter';

const never = new AbortController().signal;

describe('GraphRateLimiter', () => {
  const time = { now: () => now, wait: () => Promise.resolve() };
  let now = 0;
  beforeEach(() => (now = 0));

  it('admits as many callers as slots, and the others in order of arrival', async () => {
    const gate = new GraphRateLimiter(2, time);
    const order: number[] = [];
    const first = await gate.enter(never);
    const second = await gate.enter(never);
    const waiting = [3, 4, 5].map(async (who) => {
      const leave = await gate.enter(never);
      order.push(who);
      return leave;
    });
    await Promise.resolve();
    expect(order).toEqual([]);
    first();
    (await waiting[0]!)();
    (await waiting[1]!)();
    (await waiting[2]!)();
    second();
    expect(order).toEqual([3, 4, 5]);
  });

  it('releases a slot once, however often it is called', async () => {
    const gate = new GraphRateLimiter(1, time);
    const leave = await gate.enter(never);
    leave();
    leave();
    await gate.enter(never);
    let isIn = false;
    void gate.enter(never).then(() => (isIn = true));
    await new Promise(setImmediate);
    expect(isIn).toBe(false);
  });

  it('removes callers that stopped waiting', async () => {
    const gate = new GraphRateLimiter(1, time);
    const leave = await gate.enter(never);
    const impatient = new AbortController();
    const given = gate.enter(impatient.signal);
    const patient = gate.enter(never);
    impatient.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    leave();
    await expect(patient).resolves.toBeInstanceOf(Function);
  });

  it('keeps the longest requested cooldown', () => {
    const gate = new GraphRateLimiter(1, time);
    gate.block(5_000);
    gate.block(1_000);
    expect(gate.blockedMs).toBe(5_000);
    now = 4_999;
    expect(gate.blockedMs).toBe(1);
    now = 6_000;
    expect(gate.blockedMs).toBe(0);
  });
});
