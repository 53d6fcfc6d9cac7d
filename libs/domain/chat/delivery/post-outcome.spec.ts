import { ChatError, type ChatReason } from '@adapters/chat';
import {
  MAX_RETRY_MS,
  isRetryExpired,
  LEAST_ATTEMPTS,
  decidePostOutcome,
  POST_INTERVAL_MS,
  WAITS_MS,
} from './post-outcome';

const failing = (reason: ChatReason, retryAfterMs: number | null = null) =>
  new ChatError(reason, 'no', { vendorCode: 'no', retryAfterMs });

it.each([
  [null, 'posted', 0, false],
  ['rate_limited', 'waiting', 1, false],
  ['unreachable', 'waiting', 1, false],
  ['unavailable', 'waiting', 1, false],
  ['authorisation', 'waiting', 1, true],
  ['channel', 'waiting', 1, true],
  ['refused', 'failed', 0, false],
  ['unconfirmed', 'unknown', 1, false],
] as const)('a post with result %s is %s', (reason, state, failures, disconnects) => {
  expect(decidePostOutcome(reason && failing(reason), 0, 0)).toMatchObject({ state, failures, disconnects });
});

it('keeps the rate limit of a channel after a post that succeeded or was refused', () => {
  expect(decidePostOutcome(null, 3, 0).cooldownMs).toBe(POST_INTERVAL_MS);
  expect(decidePostOutcome(failing('refused'), 3, 0).cooldownMs).toBe(POST_INTERVAL_MS);
});

it('backs off up to an hour, plus up to a fifth of jitter', () => {
  const waits = [0, 1, 2, 3, 4, 5, 6, 50].map(
    (failures) => decidePostOutcome(failing('unavailable'), failures, 0).cooldownMs,
  );
  expect(waits).toEqual([...WAITS_MS, WAITS_MS.at(-1), WAITS_MS.at(-1)]);
  expect(decidePostOutcome(failing('unavailable'), 0, 1).cooldownMs).toBe(WAITS_MS[0]! * 1.2);
  // A post that may have arrived is not repeated, but the next one waits: each wait loses at most one post.
  expect(decidePostOutcome(failing('unconfirmed'), 2, 0).cooldownMs).toBe(WAITS_MS[2]);
});

it('waits as the chat requires, and never less than its rate limit', () => {
  expect(decidePostOutcome(failing('rate_limited', 30_000), 5, 0).cooldownMs).toBe(30_000);
  expect(decidePostOutcome(failing('rate_limited', 0), 5, 0).cooldownMs).toBe(POST_INTERVAL_MS);
});

it.each([
  [LEAST_ATTEMPTS - 1, MAX_RETRY_MS, true],
  [LEAST_ATTEMPTS - 2, MAX_RETRY_MS * 3, false],
  [LEAST_ATTEMPTS * 9, MAX_RETRY_MS - 1, false],
])('after %s attempts over %s ms and one more a message is given up: %s', (attempts, overMs, given) => {
  const now = new Date('2026-11-22T10:00:00Z');
  expect(isRetryExpired({ attempts, firstTriedAt: new Date(now.getTime() - overMs) }, now)).toBe(given);
  expect(isRetryExpired({ attempts }, now)).toBe(false);
});
