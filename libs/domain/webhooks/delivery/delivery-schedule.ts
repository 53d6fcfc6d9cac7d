const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait before each further attempt, counted from the end of the one before. */
const WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
  24 * HOUR_MS,
];

/** Further attempts that a webhook may have at most. */
export const MAX_RETRIES = WAITS_MS.length;

/** The wait is longer by up to this part of it: receivers that were down are not hit by all that waited at once. */
const JITTER = 0.2;

/**
 * When the next attempt is due; null when there is none left.
 * @param made automatic attempts so far, the one that just failed included
 * @param retries the webhook's further attempts after the first
 * @param retryAfterMs what the receiver asked for; never earlier than that
 * @param random 0 to 1
 */
export function getNextAttemptAt(
  { made, retries, retryAfterMs, at }: { made: number; retries: number; retryAfterMs: number | null; at: Date },
  random: number,
): Date | null {
  const wait = made > retries ? undefined : WAITS_MS[made - 1];
  if (wait === undefined) return null;
  return new Date(at.getTime() + Math.max(Math.round(wait * (1 + JITTER * random)), retryAfterMs ?? 0));
}
