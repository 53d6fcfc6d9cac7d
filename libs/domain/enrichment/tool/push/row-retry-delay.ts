import { type EnrichmentToolError } from '@adapters/enrichment';

/** How long a tool is let alone that says it is busy and not for how long (milliseconds). */
const BUSY_MS = 5_000;
/** Waits after failures that may pass, by how many there were for this row before (milliseconds). */
const WAITS_MS = [30_000, 120_000, 600_000, 1_800_000];
const LONGEST_MS = 3_600_000;

/** How long a row waits that was not taken (milliseconds). Pure. */
export function getRowRetryDelayMs(
  { reason, retryAfterMs }: Pick<EnrichmentToolError, 'reason' | 'retryAfterMs'>,
  attempts: number,
) {
  const usual = reason === 'rate_limited' ? BUSY_MS : (WAITS_MS[attempts] ?? LONGEST_MS);
  return retryAfterMs === null ? usual : Math.max(retryAfterMs, BUSY_MS);
}

/** Whether other rows have no better chance meanwhile: the tool as a whole is busy, or away. Pure. */
export function affectsAllRows({ reason }: Pick<EnrichmentToolError, 'reason'>): boolean {
  return reason === 'rate_limited' || reason === 'timeout' || reason === 'unreachable';
}
