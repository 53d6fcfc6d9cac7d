import { type MailStage } from '../port/mail.errors';

/** The facts about an HTTP request without a complete response. */
export interface InterruptedRequest {
  /** The error code of Node, OpenSSL or undici; empty without one. */
  readonly code: string;
  /** The stage of the failure; `request` on an open connection. */
  readonly stage: MailStage;
  /** Whether it may have reached the server. */
  readonly isSent: boolean;
}

const RESOLVE = /^(ENOTFOUND|EAI_\w+)$/;
const CONNECT = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|UND_ERR_CONNECT_TIMEOUT|UND_ERR_CLOSED)$/;
/** A certificate is verified before anything is written. */
const CERTIFICATE = /^(ERR_TLS_CERT|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/;
/** Codes of OpenSSL: of a handshake, or of a damaged record. */
const TLS = /^(ERR_TLS|ERR_SSL|EPROTO)/;
/** On an open connection: a network that fails later has the same codes as one that was never reachable. */
const STOOD = /^(read|write|writev|shutdown)$/;

/**
 * Decides how far a request got. Only a failure that certainly precedes its first byte proves that it was not sent: `UND_ERR_DESTROYED`,
 * for example, ends running requests and later ones alike.
 */
export function toInterruptedRequest(error: unknown): InterruptedRequest {
  const { code, syscall } = getDetails(error);
  if (STOOD.test(syscall)) return { code, stage: 'request', isSent: true };
  if (RESOLVE.test(code)) return { code, stage: 'resolve', isSent: false };
  if (CONNECT.test(code) || syscall === 'connect') return { code, stage: 'connect', isSent: false };
  if (CERTIFICATE.test(code)) return { code, stage: 'tls', isSent: false };
  return { code, stage: TLS.test(code) ? 'tls' : 'request', isSent: true };
}

/** The code of an error, of its cause, or of the first tried address. Not by class: realms differ under Jest. */
function getDetails(error: unknown): { code: string; syscall: string } {
  if (typeof error !== 'object' || error === null) return { code: '', syscall: '' };
  const { code, syscall, errors, cause } = error as Record<string, unknown>;
  if (typeof code === 'string') return { code, syscall: typeof syscall === 'string' ? syscall : '' };
  return getDetails(Array.isArray(errors) ? errors[0] : cause);
}
