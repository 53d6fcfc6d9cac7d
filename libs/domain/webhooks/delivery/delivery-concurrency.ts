/** Requests to one webhook at the same time: what a turn begins with, and at most. */
export const INITIAL_CONCURRENCY = 4;
export const MAX_CONCURRENCY = 16;

/** An answer that took longer is no sign that more at the same time would be well. */
const FAST_RESPONSE_MS = 2_000;

/**
 * How many requests one webhook gets at the same time, after one of them ended: one more for each brisk answer, half as many
 * for one that came to nothing (as TCP does, RFC 5681, 3.1): a receiver that hangs holds one place, not all.
 */
export function getNextConcurrency(width: number, { hung, tookMs }: { hung: boolean; tookMs: number }): number {
  if (hung) return Math.max(1, Math.floor(width / 2));
  return tookMs <= FAST_RESPONSE_MS ? Math.min(MAX_CONCURRENCY, width + 1) : width;
}
