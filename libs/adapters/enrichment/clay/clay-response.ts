import { OutboundError, type OutboundResponse, retryAfterMs } from '@platform/outbound';
import { EnrichmentToolError, type EnrichmentToolReason } from '../port/enrichment-tool.errors';

/** Longest time that a table may ask us to wait (milliseconds). */
const LONGEST_WAIT_MS = 3_600_000;

/** What an answer says went wrong; null when the table has the row. The body is not asked: it is the status that counts. */
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

/** What it means that there was no answer. */
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
  // What is not there, is not there any more, takes no POST or leads elsewhere is no webhook of a table.
  if (status < 400 || status === 404 || status === 405 || status === 410) return 'no_table';
  return 'rejected';
}
