/** What is known of an attempt that did not succeed. */
export interface Failure {
  method: string;
  /** The request carries an Idempotency-Key: the platform carries it out once, however often it is made. */
  keyed: boolean;
  /** How many attempts there were, this one included. */
  attempts: number;
  /** Undefined when no answer came. */
  status?: number;
  code?: string;
  /** What the answer's Retry-After asks for (ms). */
  retryAfterMs?: number;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A longer Retry-After is the caller's to plan. */
const LONGEST_RETRY_AFTER_MS = 60_000;
/** Making these twice leaves what making them once leaves, and gets the same answer. */
const REPEATABLE = new Set(['GET', 'PUT']);

/**
 * How long to wait before the request is made again (ms), or undefined when it must not be: what may have been carried out is
 * repeated only when that changes nothing.
 * @param random between 0 and 1: clients that failed together do not come back together
 */
export function pauseBefore(failure: Failure, random: number): number | undefined {
  if (!mayRepeat(failure)) return undefined;
  const { attempts, retryAfterMs } = failure;
  if (retryAfterMs !== undefined) return retryAfterMs <= LONGEST_RETRY_AFTER_MS ? retryAfterMs : undefined;
  const longest = Math.min(FIRST_PAUSE_MS * 2 ** (attempts - 1), LONGEST_PAUSE_MS);
  return Math.round(longest / 2 + (longest / 2) * random);
}

function mayRepeat({ method, keyed, attempts, status, code }: Failure): boolean {
  // Refused before anything was done, whatever it was.
  if (status === 429) return true;
  const harmless = keyed || REPEATABLE.has(method);
  if (status === undefined || status === 503) return harmless;
  // The attempt before this one still runs: soon its answer is there.
  return keyed && attempts > 1 && code === 'IDEMPOTENCY_CONFLICT';
}

/**
 * Milliseconds of a Retry-After header (RFC 9110, 10.2.3: seconds or a date).
 * @param date the answer's own Date, so that a wrong clock here does not matter
 */
export function retryAfterMs(header: string | null, date: string | null): number | undefined {
  if (header === null || header.trim() === '') return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const ms = Date.parse(header) - Date.parse(date ?? '');
  return Number.isFinite(ms) ? Math.max(ms, 0) : undefined;
}
