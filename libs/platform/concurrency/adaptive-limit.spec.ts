import { AdaptiveLimit } from './adaptive-limit';

/** Records calls of one duration, spread evenly over a period. */
function calls(limit: AdaptiveLimit, count: number, durationMs: number, fromMs: number, overMs: number): void {
  for (let index = 0; index < count; index += 1) limit.record(durationMs, fromMs + (index * overMs) / count);
}

describe('AdaptiveLimit', () => {
  it.each([
    ['stays before it knows enough calls', 50, 19, 9_000, 1_000, 50],
    ['is halved by slow calls', 50, 20, 501, 1_000, 25],
    ['is halved once in five seconds', 50, 200, 501, 4_900, 25],
    ['is halved again after five seconds', 50, 200, 501, 11_000, 12],
    ['is at least two', 50, 2_000, 9_000, 120_000, 2],
    ['is one if one run at a time is the most', 1, 200, 9_000, 60_000, 1],
    ['stays while calls are neither slow nor fast', 50, 200, 300, 60_000, 50],
    ['never exceeds its start', 50, 200, 5, 60_000, 50],
  ])('%s', (_what, most, count, durationMs, overMs, allowed) => {
    const limit = new AdaptiveLimit(most);
    calls(limit, count, durationMs, 0, overMs);
    expect(limit.allowed).toBe(allowed);
  });

  it('grows by one per second when calls are fast again', () => {
    const limit = new AdaptiveLimit(50);
    calls(limit, 20, 600, 0, 100);
    expect(limit.allowed).toBe(25);
    calls(limit, 20, 50, 10_000, 100);
    expect(limit.allowed).toBe(26);
    calls(limit, 100, 50, 12_000, 10_000);
    expect(limit.allowed).toBe(36);
  });

  it('decides by the calls after it shrank, not again by those before', () => {
    const limit = new AdaptiveLimit(50);
    calls(limit, 20, 600, 0, 100);
    calls(limit, 19, 600, 10_000, 100);
    expect(limit.allowed).toBe(25);
    limit.record(600, 10_100);
    expect(limit.allowed).toBe(12);
  });

  it('ignores single slow calls', () => {
    const limit = new AdaptiveLimit(50);
    for (let index = 0; index < 100; index += 1) limit.record(index % 3 === 0 ? 5_000 : 20, index * 100);
    expect(limit.allowed).toBe(50);
  });
});
