const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait before each retry, from the end of the previous attempt. */
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

/** Maximum number of retries of a webhook. */
export const MAX_RETRIES = WAITS_MS.length;

/** Maximum share added to a wait, so that a recovered receiver does not get all retries at once. */
const JITTER = 0.2;

/**
 * Returns when the next attempt is due; null when none is left.
 * @param made automatic attempts so far, including the failed one
 * @param retries the webhook's further attempts after the first
 * @param retryAfterMs the pause the receiver asked for; the attempt is never earlier
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
