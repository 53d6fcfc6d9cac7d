const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;
/** Minimum time between two reads of one mailbox. */
const READ_GAP_MS = 250;

/** Recent failures of a watch. */
export interface WatchTroubles {
  /** In a row without a successful read, the current one included. */
  readonly failures: number;
  /** In a row without a completed wait for changes, the current one included. */
  readonly breaks: number;
  /** Interval at which a mailbox is read at the latest. */
  readonly pollMs: number;
}

/**
 * Milliseconds before the next attempt: one second, doubled each time, at most five minutes, up to half of it jitter.
 * A mailbox that can be read but not watched (a server that ends every IDLE) is polled.
 * @param random 0 to 1
 */
export function pauseAfter({ failures, breaks, pollMs }: WatchTroubles, random: number): number {
  const longest = failures > 1 ? LONGEST_PAUSE_MS : pollMs;
  return Math.round(Math.min(FIRST_PAUSE_MS * 2 ** (breaks - 1), longest) * (0.5 + random * 0.5));
}

/**
 * Milliseconds to wait before the next read of a mailbox, so that a server with endless notifications does not set
 * the rate. 0 for mail that comes rarely.
 * @param sinceMs since the last read began
 */
export function remainingGap(sinceMs: number): number {
  return Math.max(0, Math.ceil(READ_GAP_MS - sinceMs));
}
