import { type MailStage } from '../port/mail.errors';

/** What is known of an HTTP request that was not answered (whole). */
export interface InterruptedRequest {
  /** What Node, OpenSSL or undici calls it; empty when it has no name. */
  readonly code: string;
  /** Where it ended; `request` when a connection stood. */
  readonly stage: MailStage;
  /** Whether it may have reached the server. */
  readonly isSent: boolean;
}

const RESOLVE = /^(ENOTFOUND|EAI_\w+)$/;
const CONNECT = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|UND_ERR_CONNECT_TIMEOUT|UND_ERR_CLOSED)$/;
/** A certificate is looked at before anything is written. */
const CERTIFICATE = /^(ERR_TLS_CERT|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/;
/** OpenSSL's: of a handshake, but a record that arrives broken looks the same. */
const TLS = /^(ERR_TLS|ERR_SSL|EPROTO)/;
/** On a connection that stood: a network that went away under it has the same codes as one that was never there. */
const STOOD = /^(read|write|writev|shutdown)$/;

/**
 * How far a request got. Only what certainly happened before its first byte says that it was not given: `UND_ERR_DESTROYED`,
 * for one, is the end of requests under way as well as of those that come after.
 */
export function toInterruptedRequest(error: unknown): InterruptedRequest {
  const { code, syscall } = getDetails(error);
  if (STOOD.test(syscall)) return { code, stage: 'request', isSent: true };
  if (RESOLVE.test(code)) return { code, stage: 'resolve', isSent: false };
  if (CONNECT.test(code) || syscall === 'connect') return { code, stage: 'connect', isSent: false };
  if (CERTIFICATE.test(code)) return { code, stage: 'tls', isSent: false };
  return { code, stage: TLS.test(code) ? 'tls' : 'request', isSent: true };
}

/** Of an error, its cause, or the first of several addresses that were tried. Not by class: realms differ under Jest. */
function getDetails(error: unknown): { code: string; syscall: string } {
  if (typeof error !== 'object' || error === null) return { code: '', syscall: '' };
  const { code, syscall, errors, cause } = error as Record<string, unknown>;
  if (typeof code === 'string') return { code, syscall: typeof syscall === 'string' ? syscall : '' };
  return getDetails(Array.isArray(errors) ? errors[0] : cause);
}
