import { affectsAllRows, getRowRetryDelayMs } from './row-retry-delay';

describe('rows that were not accepted', () => {
  it.each([
    ['as long as a busy tool asks for', 'rate_limited', 42_000, 3, 42_000],
    ['five seconds at least', 'rate_limited', 0, 0, 5_000],
    ['five seconds where it asks for none', 'rate_limited', null, 4, 5_000],
    ['as long as a broken tool asks for', 'server', 90_000, 0, 90_000],
    ['longer each time otherwise', 'server', null, 0, 30_000],
    ['longer each time otherwise', 'timeout', null, 1, 120_000],
    ['longer each time otherwise', 'unreachable', null, 3, 1_800_000],
    ['an hour at most', 'server', null, 9, 3_600_000],
  ] as const)('wait %s', (_what, reason, retryAfterMs, attempts, expected) => {
    expect(getRowRetryDelayMs({ reason, retryAfterMs }, attempts)).toBe(expected);
  });

  it.each([
    ['rate_limited', true],
    ['timeout', true],
    ['unreachable', true],
    ['server', false],
  ] as const)('concern all rows, or only this one: %s', (reason, expected) => {
    expect(affectsAllRows({ reason })).toBe(expected);
  });
});
