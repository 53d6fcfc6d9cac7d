const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** Between two reads of one mailbox at least. */
const READ_GAP_MS = 250;

/** How a watch has been going lately. */
export interface WatchTroubles {
  /** In a row, without a read in between; the one just now included. */
  readonly failures: number;
  /** In a row, without a wait for changes that came to its end; the one just now included. */
  readonly breaks: number;
  /** How often a mailbox is read at least. */
  readonly pollMs: number;
}

/**
 * Milliseconds before the next attempt: one second, doubled each time, at most five minutes, up to half of it jitter. One
 * that can be read and not be waited for (a server that ends every IDLE) is looked at every so often, like one whose
 * server cannot tell.
 * @param random 0 to 1
 */
export function pauseAfter({ failures, breaks, pollMs }: WatchTroubles, random: number): number {
  const longest = failures > 1 ? LONGEST_PAUSE_MS : pollMs;
  return Math.round(Math.min(FIRST_PAUSE_MS * 2 ** (breaks - 1), longest) * (0.5 + random * 0.5));
}

/**
 * Milliseconds to wait before a mailbox is read again, although its server tells of a change: one that tells without end
 * does not set the pace. No wait for mail that comes now and then.
 * @param sinceMs since the last read began
 */
export function remainingGap(sinceMs: number): number {
  return Math.max(0, Math.ceil(READ_GAP_MS - sinceMs));
}
