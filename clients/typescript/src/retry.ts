/** The facts of a failed attempt. */
export interface Failure {
  method: string;
  /** The request has an Idempotency-Key, so the platform executes it once, however often it is sent. */
  keyed: boolean;
  /** The number of attempts, including this one. */
  attempts: number;
  /** Undefined without a response. */
  status?: number;
  code?: string;
  /** The Retry-After of the response (ms). */
  retryAfterMs?: number;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** The caller schedules a retry after a longer Retry-After. */
const LONGEST_RETRY_AFTER_MS = 60_000;
/** Idempotent methods: a second request has no further effect and gets the same answer. */
const REPEATABLE = new Set(['GET', 'PUT']);

/**
 * Returns the wait before a retry (ms), or undefined when the request must not be retried. A request that the platform may
 * have executed is retried only when that has no further effect.
 * @param random between 0 and 1: spreads the retries of clients that failed at the same time
 */
export function pauseBefore(failure: Failure, random: number): number | undefined {
  if (!mayRepeat(failure)) return undefined;
  const { attempts, retryAfterMs } = failure;
  if (retryAfterMs !== undefined) return retryAfterMs <= LONGEST_RETRY_AFTER_MS ? retryAfterMs : undefined;
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  return Math.round(longest / 2 + (longest / 2) * random);
}

function mayRepeat({ method, keyed, attempts, status, code }: Failure): boolean {
  // The platform rejected the request before it executed any part of it.
  if (status === 429) return true;
  const harmless = keyed || REPEATABLE.has(method);
  if (status === undefined || status === 503) return harmless;
  // The previous attempt still runs: its answer is available soon.
  return keyed && attempts > 1 && code === 'IDEMPOTENCY_CONFLICT';
}

/**
 * Milliseconds of a Retry-After header (RFC 9110, 10.2.3: seconds or a date).
 * @param date the response's own Date, so that a wrong clock here does not matter
 */
export function retryAfterMs(header: string | null, date: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const ms = Date.parse(header) - Date.parse(date ?? '');
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}
