import { redact } from '@platform/observability';
import { OutboundError, type OutboundResponse, retryAfterMs } from '@platform/outbound';
import { type DeliveryAttempt } from '../schemas/webhook-delivery.record';

/** Stored bytes of a response. */
export const RESPONSE_BYTES = 20_000;

/** The result of one request. */
export interface AttemptResult extends Pick<DeliveryAttempt, 'status' | 'error' | 'response' | 'truncated'> {
  readonly accepted: boolean;
  /** The receiver answered 410 Gone and wants no further events. */
  readonly isUnsubscribed: boolean;
  /** The pause that the receiver asks for (`Retry-After`); null without one. */
  readonly retryAfterMs: number | null;
  /** No complete response arrived in time; the receiver may hang. */
  readonly hung: boolean;
}

/** Statuses with a meaningful Retry-After (RFC 9110, 15.6.4; RFC 6585, 4). */
const WAIT_STATUSES: ReadonlySet<number> = new Set([429, 503]);

/** Only 2xx is a success, whatever the body; redirects are failures. */
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

/** The result of a request without a complete response. */
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

/** Drops a character that is cut at the end, and NUL, which databases and terminals mishandle. */
function decodeBody(body: Buffer): string {
  return new TextDecoder().decode(body, { stream: true }).replaceAll('\0', '');
}
