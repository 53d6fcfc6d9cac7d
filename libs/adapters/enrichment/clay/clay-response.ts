import { OutboundError, type OutboundResponse, retryAfterMs } from '@platform/outbound';
import { EnrichmentToolError, type EnrichmentToolReason } from '../port/enrichment-tool.errors';

/** Maximum wait that a table can ask for (milliseconds). */
const LONGEST_WAIT_MS = 3_600_000;

/** Classifies a response; null when the table accepted the row. Only the status counts, not the body. */
export function parseFailure(
  { status, headers }: OutboundResponse,
  host: string,
  now: Date,
): EnrichmentToolError | null {
  if (status >= 200 && status < 300) return null;
  const wait = retryAfterMs(headers['retry-after'], now.toUTCString());
  return new EnrichmentToolError(getFailureReason(status), `${host} answered ${status}`, {
    retryAfterMs: wait === null ? null : Math.min(LONGEST_WAIT_MS, wait),
  });
}

/** Classifies a missing response. */
export function toExchangeError(error: OutboundError, host: string): EnrichmentToolError {
  if (error.reason === 'timeout')
    return new EnrichmentToolError('timeout', `${host} did not answer in time`, { cause: error });
  return new EnrichmentToolError(error.retry ? 'unreachable' : 'no_table', error.message, { cause: error });
}

function getFailureReason(status: number): EnrichmentToolReason {
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 403) return 'credentials';
  if (status === 402) return 'quota';
  if (status === 408 || status === 425 || status >= 500) return 'server';
  // A URL that is missing, removed, refuses POST or redirects is no webhook of a table.
  if (status < 400 || status === 404 || status === 405 || status === 410) return 'no_table';
  return 'rejected';
}
