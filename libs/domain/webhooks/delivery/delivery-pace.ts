/** Requests to one webhook at the same time: what a turn begins with, and at most. */
export const FIRST_WIDTH = 4;
export const MOST_WIDTH = 16;

/** An answer that took longer is no sign that more at the same time would be well. */
const BRISK_MS = 2_000;

/**
 * How many requests one webhook gets at the same time, after one of them ended: one more for each brisk answer, half as many
 * for one that came to nothing (as TCP does, RFC 5681, 3.1): a receiver that hangs holds one place, not all.
 */
export function widthAfter(width: number, { hung, tookMs }: { hung: boolean; tookMs: number }): number {
  if (hung) return Math.max(1, Math.floor(width / 2));
  return tookMs <= BRISK_MS ? Math.min(MOST_WIDTH, width + 1) : width;
}
