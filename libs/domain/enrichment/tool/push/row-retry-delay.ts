import { type EnrichmentToolError } from '@adapters/enrichment';

/** Cooldown of a busy tool that names no duration (milliseconds). */
const BUSY_MS = 5_000;
/** Delays after temporary failures, by the number of earlier failures of the row (milliseconds). */
const WAITS_MS = [30_000, 120_000, 600_000, 1_800_000];
const LONGEST_MS = 3_600_000;

/** Delay before a refused row is submitted again (milliseconds). Pure. */
export function getRowRetryDelayMs(
  { reason, retryAfterMs }: Pick<EnrichmentToolError, 'reason' | 'retryAfterMs'>,
  attempts: number,
) {
  const usual = reason === 'rate_limited' ? BUSY_MS : (WAITS_MS[attempts] ?? LONGEST_MS);
  return retryAfterMs === null ? usual : Math.max(retryAfterMs, BUSY_MS);
}

/** Whether the failure affects all rows: the tool is busy or unreachable. Pure. */
export function affectsAllRows({ reason }: Pick<EnrichmentToolError, 'reason'>): boolean {
  return reason === 'rate_limited' || reason === 'timeout' || reason === 'unreachable';
}
