import { toCode } from './error-code';
import { OutboundError } from './outbound.errors';

/** A request as far as failures are concerned. */
export interface Attempt {
  /** Host and port; all of the URL that may be shown. */
  readonly host: string;
  /** Whether doing it twice is as good as once (RFC 9110, 9.2.2). */
  readonly idempotent: boolean;
}

const CONNECT_TIMEOUTS: ReadonlySet<string> = new Set(['UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);
const CONNECTION_FAILURES: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);

/** What undici finds wrong with a request before it sends anything. */
const UNSENDABLE: ReadonlySet<string> = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);

/** Errors of the system (ECONNREFUSED), as opposed to those of OpenSSL (ERR_SSL_..., EPROTO) and of X.509 (CERT_...). */
const SYSTEM_ERROR = /^E(?!RR|PROTO$)[A-Z]+$/;

/** What an error says that came before the connection stood: nothing was sent. */
export function connectFailure(error: Error, protocol: string, host: string): OutboundError {
  if (error instanceof OutboundError) return error;
  const code = toCode(error);
  const options = { retry: true, cause: error };
  if (CONNECT_TIMEOUTS.has(code))
    return new OutboundError('timeout', `${host} did not accept a connection in time`, options);
  if (protocol === 'https:' && !SYSTEM_ERROR.test(code)) {
    // Certificates get renewed, so a later try may succeed.
    return new OutboundError('tls', `No trusted TLS connection to ${host} (${code})`, options);
  }
  return new OutboundError('connect', `No connection to ${host} (${code})`, options);
}

/** What an error says that came from undici while a request was under way. */
export function exchangeFailure(error: unknown, attempt: Attempt): OutboundError {
  if (error instanceof OutboundError) return error;
  const { host } = attempt;
  const code = toCode(error);
  if (UNSENDABLE.has(code)) {
    return new OutboundError('protocol', `The request to ${host} cannot be put into HTTP (${code})`, { cause: error });
  }
  const options = { retry: true, ambiguous: !attempt.idempotent, cause: withoutData(error) };
  if (CONNECTION_FAILURES.has(code))
    return new OutboundError('connect', `The connection to ${host} was lost (${code})`, options);
  return new OutboundError('protocol', `${host} did not answer in proper HTTP (${code})`, options);
}

/** The total time was over before the whole answer had come. */
export function timeoutFailure(timeoutMs: number, attempt: Attempt, cause: unknown): OutboundError {
  const message = `${attempt.host} did not answer within ${timeoutMs} ms`;
  return new OutboundError('timeout', message, { retry: true, ambiguous: !attempt.idempotent, cause });
}

/** undici's parser errors carry what the server sent, which must not reach a log. */
function withoutData(error: unknown): unknown {
  if (typeof error === 'object' && error !== null && 'data' in error) error.data = undefined;
  return error;
}
