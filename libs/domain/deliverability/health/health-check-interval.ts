import { createHash } from 'node:crypto';
import { type HealthStatuses } from './health-report';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Interval of a domain without problems. */
const EVERY_MS = DAY_MS;
/** Interval of a domain with a failing check, so that a repair shows soon. */
const FAILING_EVERY_MS = 2 * HOUR_MS;
/** Interval of a domain with an unknown result: resolvers recover. */
const UNKNOWN_EVERY_MS = HOUR_MS;
/** Least time between two scheduled checks. */
const LEAST_MS = HOUR_MS;
/** Random spread of checks that repeat within a day. */
const SPREAD_MS = 10 * MINUTE_MS;

/** Checks with a conclusive DNS answer; for DKIM the selector may be unknown. */
const DECISIVE = ['mx', 'spf', 'dmarc'] as const;

/**
 * Returns the next check: daily at the domain's own time, which spreads the load; sooner after a failed or unknown result.
 * @param key identifies the domain
 */
export function nextHealthCheck(statuses: HealthStatuses, key: string, now: Date): Date {
  const own = getShare(key);
  if (Object.values(statuses).includes('fail')) return addMs(now, FAILING_EVERY_MS + Math.floor(own * SPREAD_MS));
  if (DECISIVE.some((check) => statuses[check] === 'unknown')) {
    return addMs(now, UNKNOWN_EVERY_MS + Math.floor(own * SPREAD_MS));
  }
  return nextDaily(key, now);
}

/** The domain's next time of day, at least an hour from now. */
export function nextDaily(key: string, now: Date): Date {
  const slot = Math.floor(getShare(key) * EVERY_MS);
  const earliest = now.getTime() + LEAST_MS;
  const midnight = Math.floor(earliest / EVERY_MS) * EVERY_MS;
  return new Date(midnight + slot >= earliest ? midnight + slot : midnight + slot + EVERY_MS);
}

/** From 0 to below 1, evenly distributed and constant for a key. */
function getShare(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE(0) / 2 ** 32;
}

function addMs(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}
