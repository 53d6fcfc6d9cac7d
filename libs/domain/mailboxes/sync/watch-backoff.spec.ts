import { pauseAfter, remainingGap } from './watch-backoff';

const pollMs = 60_000;

describe('the pause before a mailbox is watched again', () => {
  it.each([
    [1, 1_000],
    [2, 2_000],
    [9, 256_000],
    [10, 300_000],
    [2_000, 300_000],
  ])('after %d failures in a row is at most %d ms, and at least half of it', (failures, most) => {
    expect(pauseAfter({ failures, breaks: failures, pollMs }, 1)).toBe(most);
    expect(pauseAfter({ failures, breaks: failures, pollMs }, 0)).toBe(most / 2);
  });

  it('grows up to the polling interval if every read works and every wait breaks', () => {
    const pauses = [1, 3, 6, 7, 100].map((breaks) => pauseAfter({ failures: 1, breaks, pollMs }, 1));
    expect(pauses).toEqual([1_000, 4_000, 32_000, pollMs, pollMs]);
  });
});

describe('remainingGap', () => {
  it.each([
    ['a server that reports the next change at once', 0, 250],
    ['a server that reports it a moment later', 100.4, 150],
    ['occasional mail', 60_000, 0],
  ])('is correct for %s', (_what, sinceMs, remaining) => {
    expect(remainingGap(sinceMs)).toBe(remaining);
  });
});
