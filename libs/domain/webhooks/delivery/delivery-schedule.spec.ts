import fc from 'fast-check';
import { MAX_RETRIES, getNextAttemptAt } from './delivery-schedule';

const at = new Date('2026-11-21T10:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds until the next attempt; null: none. */
function wait(made: number, { retries = 10, retryAfterMs = null as number | null, random = 0 } = {}): number | null {
  const next = getNextAttemptAt({ made, retries, retryAfterMs, at }, random);
  return next && next.getTime() - at.getTime();
}

describe('the schedule of attempts', () => {
  it.each([
    [1, 5 * SECOND],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 14 * HOUR],
    [8, 20 * HOUR],
    [9, 24 * HOUR],
    [10, 24 * HOUR],
  ])('waits after attempt %i', (made, ms) => {
    expect(wait(made)).toBe(ms);
  });

  it('ends after the last of ten retries', () => {
    expect(MAX_RETRIES).toBe(10);
    expect(wait(11)).toBeNull();
  });

  it.each([
    [0, 1],
    [1, 2],
    [5, 6],
  ])('a webhook with %i retries has its last attempt after %i', (retries, last) => {
    if (last > 1) expect(wait(last - 1, { retries })).not.toBeNull();
    expect(wait(last, { retries })).toBeNull();
  });

  it('delays an attempt by at most a fifth, and never makes it early', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.double({ min: 0, max: 1, noNaN: true }), (made, random) => {
        const ms = wait(made, { random }) ?? 0;
        const least = wait(made) ?? 0;
        expect(ms).toBeGreaterThanOrEqual(least);
        expect(ms).toBeLessThanOrEqual(least * 1.2);
      }),
    );
  });

  it('respects the pause that the receiver requests', () => {
    expect(wait(1, { retryAfterMs: 90 * SECOND })).toBe(90 * SECOND);
    expect(wait(2, { retryAfterMs: 90 * SECOND })).toBe(5 * MINUTE);
  });

  it('gives a receiver that requests a pause no additional attempt', () => {
    expect(wait(6, { retries: 5, retryAfterMs: SECOND })).toBeNull();
  });
});
