/** Concurrent requests to one webhook: initial and maximum. */
export const INITIAL_CONCURRENCY = 4;
export const MAX_CONCURRENCY = 16;

/** A slower response is no reason to raise the concurrency. */
const FAST_RESPONSE_MS = 2_000;

/**
 * Returns the concurrency after a request ended: one more for a fast response, half for a hanging one (as TCP does,
 * RFC 5681, 3.1). A hanging receiver thus occupies one connection.
 */
export function getNextConcurrency(width: number, { hung, tookMs }: { hung: boolean; tookMs: number }): number {
  if (hung) return Math.max(1, Math.floor(width / 2));
  return tookMs <= FAST_RESPONSE_MS ? Math.min(MAX_CONCURRENCY, width + 1) : width;
}
