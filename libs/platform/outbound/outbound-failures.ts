import { toOutboundErrorCode } from './error-code';
import { OutboundError } from './outbound.errors';

/** The facts of a request that its failures need. */
export interface Attempt {
  /** Host and port, the only part of the URL that may appear in messages. */
  readonly host: string;
  /** Whether a repetition has no further effect (RFC 9110, 9.2.2). */
  readonly idempotent: boolean;
}

const CONNECT_TIMEOUTS: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);
const CONNECTION_FAILURES: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** Codes of requests that undici refuses before it sends anything. */
const UNSENDABLE: ReadonlySet<string> = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);

/** Errors of the system (ECONNREFUSED), as opposed to those of OpenSSL (ERR_SSL_..., EPROTO) and of X.509 (CERT_...). */
const SYSTEM_ERROR = /^E(?!RR|PROTO$)[A-Z]+$/;

/** Converts an error before the connection is established: nothing was sent. */
export function connectFailure(error: Error, protocol: string, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = toOutboundErrorCode(error);
  const options = { retry: true, cause: error };
  if (CONNECT_TIMEOUTS.has(code))
    return new OutboundError('timeout', `${host} did not accept a connection in time`, options);
  if (protocol === 'https:' && !SYSTEM_ERROR.test(code)) {
    // The certificate may be renewed, so a later try may succeed.
    return new OutboundError('tls', `No trusted TLS connection to ${host} (${code})`, options);
  }
  return new OutboundError('connect', `No connection to ${host} (${code})`, options);
}

/** Converts an error of undici during a request. */
export function exchangeFailure(error: unknown, attempt: Attempt): OutboundError {
  if (error instanceof OutboundError) return error;
  const { host } = attempt;
  const code = toOutboundErrorCode(error);
  if (UNSENDABLE.has(code)) {
    return new OutboundError('protocol', `The request to ${host} is not valid HTTP (${code})`, { cause: error });
  }
  const options = { retry: true, ambiguous: !attempt.idempotent, cause: withoutData(error) };
  if (CONNECTION_FAILURES.has(code))
    return new OutboundError('connect', `The connection to ${host} was lost (${code})`, options);
  return new OutboundError('protocol', `The response of ${host} is not valid HTTP (${code})`, options);
}

/** The timeout passed before the complete response. */
export function timeoutFailure(timeoutMs: number, attempt: Attempt, cause: unknown): OutboundError {
  const message = `${attempt.host} did not answer within ${timeoutMs} ms`;
  return new OutboundError('timeout', message, { retry: true, ambiguous: !attempt.idempotent, cause });
}

/** Removes data of the server from undici's parser errors: it must not reach a log. */
function withoutData(error: unknown): unknown {
  if (typeof error === 'object' && error !== null && 'data' in error) error.data = undefined;
  return error;
}
