import { redact } from '@platform/observability';
import { OutboundError, type OutboundResponse, retryAfterMs } from '@platform/outbound';
import { type DeliveryAttempt } from '../schemas/webhook-delivery.record';

/** How much of the answer is kept (bytes). */
export const RESPONSE_BYTES = 20_000;

/** What came of one request. */
export interface AttemptResult extends Pick<DeliveryAttempt, 'status' | 'error' | 'response' | 'truncated'> {
  readonly accepted: boolean;
  /** The receiver wants nothing more, ever (410 Gone). */
  readonly isUnsubscribed: boolean;
  /** The receiver asks to be left alone for so long; null when it does not. */
  readonly retryAfterMs: number | null;
  /** No answer came in time: its receiver may be hanging. */
  readonly hung: boolean;
}

/** Statuses whose Retry-After is meant for whoever sends (RFC 9110, 15.6.4; RFC 6585, 4). */
const WAIT_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/** 2xx is a success, whatever it says and however long it goes on; everything else is none, redirects included. */
export function toAttemptResult({ status, headers, body, truncated, incomplete }: OutboundResponse): AttemptResult {
  const accepted = status >= 200 && status <= 299;
  return {
    accepted,
    isUnsubscribed: status === 410,
    status,
    error: accepted ? null : { code: 'status', message: `The receiver answered ${status}` },
    response: decodeBody(body),
    truncated: truncated || incomplete,
    retryAfterMs: WAIT_STATUSES.has(status) ? retryAfterMs(headers['retry-after'], headers['date']) : null,
    hung: incomplete,
  };
}

/** No (complete) answer came. */
export function toFailedResult(error: unknown): AttemptResult {
  const known = error instanceof OutboundError ? error : null;
  return {
    accepted: false,
    isUnsubscribed: false,
    status: null,
    error: known
      ? { code: known.reason, message: redact(known.message) }
      : { code: 'internal', message: 'The request could not be made' },
    response: '',
    truncated: false,
    retryAfterMs: null,
    hung: known?.reason === 'timeout',
  };
}

/** Characters that were cut in two at the end are left out; NUL, which databases and terminals stumble over, as well. */
function decodeBody(body: Buffer): string {
  return new TextDecoder().decode(body, { stream: true }).replaceAll('\0', '');
}
