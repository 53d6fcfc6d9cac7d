import { createHash } from 'node:crypto';
import { type HealthStatuses } from './health-report';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** How often a domain is checked that has nothing to mend. */
const EVERY_MS = DAY_MS;
/** One of which something fails: whoever mends it wants to see that. */
const FAILING_EVERY_MS = 2 * HOUR_MS;
/** One of which something could not be found out: resolvers recover. */
const UNKNOWN_EVERY_MS = HOUR_MS;
/** No two checks by schedule are nearer than this. */
const LEAST_MS = HOUR_MS;
/** By how much the checks that repeat within a day are spread. */
const SPREAD_MS = 10 * MINUTE_MS;

/** Checks that DNS answers with yes or no when it answers; of DKIM nobody knows the selector for certain. */
const DECISIVE = ['mx', 'spf', 'dmarc'] as const;

/**
 * When a domain is checked again: every day at a time of its own, so that not all are asked for at once; sooner when something
 * fails or is unknown.
 * @param key names the domain among all
 */
export function nextHealthCheck(statuses: HealthStatuses, key: string, now: Date): Date {
  const own = getShare(key);
  if (Object.values(statuses).includes('fail')) return addMs(now, FAILING_EVERY_MS + Math.floor(own * SPREAD_MS));
  if (DECISIVE.some((check) => statuses[check] === 'unknown')) {
    return addMs(now, UNKNOWN_EVERY_MS + Math.floor(own * SPREAD_MS));
  }
  return nextDaily(key, now);
}

/** The next time of day that is the domain's own, at least an hour from now. */
export function nextDaily(key: string, now: Date): Date {
  const slot = Math.floor(getShare(key) * EVERY_MS);
  const earliest = now.getTime() + LEAST_MS;
  const midnight = Math.floor(earliest / EVERY_MS) * EVERY_MS;
  return new Date(midnight + slot >= earliest ? midnight + slot : midnight + slot + EVERY_MS);
}

/** From 0 to below 1, evenly over all domains and always the same for one. */
function getShare(key: string): number {
  return createHash('sha256').update(key).digest().readUInt32BE(0) / 2 ** 32;
}

function addMs(now: Date, milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds);
}
