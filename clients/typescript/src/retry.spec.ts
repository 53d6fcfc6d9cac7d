import { type Failure, pauseBefore, retryAfterMs } from './retry.ts';

const failure = (more: Partial<Failure>): Failure => ({ method: 'GET', keyed: false, attempts: 1, ...more });

describe('the retry decision', () => {
  it.each<[string, Partial<Failure>, boolean]>([
    ['a read without an answer', {}, true],
    ['a read while the platform is not ready', { status: 503 }, true],
    ['a PUT while the platform is not ready', { method: 'PUT', status: 503 }, true],
    ['a POST with a key, without an answer', { method: 'POST', keyed: true }, true],
    ['a POST with a key while the platform is not ready', { method: 'POST', keyed: true, status: 503 }, true],
    ['a POST without a key', { method: 'POST' }, false],
    ['a PATCH that may have been processed', { method: 'PATCH', status: 503 }, false],
    ['a DELETE, which would then find nothing', { method: 'DELETE' }, false],
    ['a rate-limited PATCH', { method: 'PATCH', status: 429 }, true],
    ['a rate-limited DELETE', { method: 'DELETE', status: 429 }, true],
    ['a permanent error', { status: 404 }, false],
    ['an internal error of the platform', { status: 500 }, false],
    ['an error of another server', { method: 'POST', keyed: true, status: 502 }, false],
    [
      'a retried POST whose first attempt is still running',
      { method: 'POST', keyed: true, attempts: 2, status: 409, code: 'IDEMPOTENCY_CONFLICT' },
      true,
    ],
    [
      'a first POST with the key of another running request',
      { method: 'POST', keyed: true, status: 409, code: 'IDEMPOTENCY_CONFLICT' },
      false,
    ],
    [
      'a retried POST with a conflict',
      { method: 'POST', keyed: true, attempts: 2, status: 409, code: 'CONFLICT' },
      false,
    ],
  ])('%s: %#', (_what, given, again) => {
    expect(pauseBefore(failure(given), 0.5) !== undefined).toBe(again);
  });
});

describe('the pause before a retry', () => {
  it.each([
    [1, 0, 250],
    [1, 1, 500],
    [3, 1, 2_000],
    [50, 1, 30_000],
  ])('after %i attempts, at %d: %i ms', (attempts, random, ms) => {
    expect(pauseBefore(failure({ attempts }), random)).toBe(ms);
  });

  it('is as long as the platform requests, up to a minute; a longer one ends the retries', () => {
    expect(pauseBefore(failure({ status: 429, retryAfterMs: 60_000 }), 1)).toBe(60_000);
    expect(pauseBefore(failure({ status: 429, retryAfterMs: 60_001 }), 1)).toBeUndefined();
  });

  it.each([
    ['7', null, 7_000],
    ['Sun, 22 Nov 2026 10:00:05 GMT', 'Sun, 22 Nov 2026 10:00:00 GMT', 5_000],
    ['Sun, 22 Nov 2026 09:00:00 GMT', 'Sun, 22 Nov 2026 10:00:00 GMT', 0],
    ['Sun, 22 Nov 2026 10:00:05 GMT', null, undefined],
    ['soon', 'Sun, 22 Nov 2026 10:00:00 GMT', undefined],
    ['', null, undefined],
    [null, null, undefined],
  ])('Retry-After %s at %s is %s ms', (header, date, ms) => {
    expect(retryAfterMs(header, date)).toBe(ms);
  });
});
