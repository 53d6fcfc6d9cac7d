import { AppError, defineError, type ErrorCode } from '@platform/errors';

const ADDRESS_NOT_ALLOWED = defineError(
  'ADDRESS_NOT_ALLOWED',
  'invalid',
  'The address is not a valid http(s) URL, or leads to a network that this installation does not connect to.',
);
const REMOTE_FAILED = defineError(
  'REMOTE_FAILED',
  'upstream',
  'The other side could not be reached or did not answer properly.',
);
const REMOTE_UNUSABLE = defineError(
  'REMOTE_UNUSABLE',
  'upstream',
  'The other side cannot be used as addressed; trying again does not help.',
  'permanent',
);
const REMOTE_OUTCOME_UNKNOWN = defineError(
  'REMOTE_OUTCOME_UNKNOWN',
  'upstream',
  'The connection was lost after the request was given away: it may have taken effect.',
  'ambiguous',
);

/**
 * `address_refused`: an address that policy forbids. `dns`: the name did not resolve. `connect`: no connection, or it
 * was lost. `tls`: no trusted encryption. `timeout`: any part took too long. `protocol`: the answer is not HTTP or its
 * header is too large, or the request cannot be put into HTTP. `invalid_url`: not an http(s) URL without credentials.
 * `too_many_redirects`: more hops than the caller allows.
 */
export type OutboundReason =
  | 'address_refused'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'protocol'
  | 'invalid_url'
  | 'too_many_redirects';

export interface OutboundErrorOptions {
  /** Whether the same request can reasonably succeed later. */
  readonly retry?: boolean;
  /** Whether the request may have taken effect although no answer came, and repeating it could do it twice. */
  readonly ambiguous?: boolean;
  readonly cause?: unknown;
}

/**
 * No answer came from an address. The message names the host at most: paths and queries hold secrets (chat webhooks).
 * `failureOf` of `@platform/errors` understands it.
 */
export class OutboundError extends AppError {
  constructor(
    readonly reason: OutboundReason,
    message: string,
    options: OutboundErrorOptions = {},
  ) {
    const { retry = false, ambiguous = false, cause } = options;
    super(codeFor(reason, retry, ambiguous), message, { cause });
  }

  /** Whether the same request can reasonably succeed later. */
  get retry(): boolean {
    return this.type.failure !== 'permanent';
  }

  /** Whether the request may have taken effect although no answer came, and repeating it could do it twice. */
  get ambiguous(): boolean {
    return this.type.failure === 'ambiguous';
  }
}

function codeFor(reason: OutboundReason, retry: boolean, ambiguous: boolean): ErrorCode {
  if (reason === 'address_refused' || reason === 'invalid_url') return ADDRESS_NOT_ALLOWED;
  if (ambiguous) return REMOTE_OUTCOME_UNKNOWN;
  return retry ? REMOTE_FAILED : REMOTE_UNUSABLE;
}
