import { AppError, defineError, type ErrorCode } from '@platform/errors';

const ADDRESS_NOT_ALLOWED = defineError(
  'ADDRESS_NOT_ALLOWED',
  'invalid',
  'The address is not a valid http(s) URL, or it belongs to a network that this installation does not connect to.',
);
const REMOTE_FAILED = defineError(
  'REMOTE_FAILED',
  'upstream',
  'The remote server could not be reached, or its response is invalid.',
);
const REMOTE_UNUSABLE = defineError(
  'REMOTE_UNUSABLE',
  'upstream',
  'The remote server cannot be used under this address; a retry does not help.',
  'permanent',
);
const REMOTE_OUTCOME_UNKNOWN = defineError(
  'REMOTE_OUTCOME_UNKNOWN',
  'upstream',
  'The connection was lost after the request was sent: the request may have taken effect.',
  'ambiguous',
);

/**
 * `address_refused`: an address that policy forbids. `dns`: the name did not resolve. `connect`: no connection, or it
 * was lost. `tls`: no trusted encryption. `timeout`: any part took too long. `protocol`: the response is not HTTP or its
 * header is too large, or the request is not valid HTTP. `invalid_url`: not an http(s) URL without credentials.
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
  /** Whether the same request may succeed later. */
  readonly retry?: boolean;
  /** Whether the request may have taken effect without a response, so that a repetition could duplicate it. */
  readonly ambiguous?: boolean;
  readonly cause?: unknown;
}

/**
 * A request without a response. The message names the host at most, because paths and queries contain secrets (chat webhooks).
 * `toFailure` of `@platform/errors` classifies it.
 */
export class OutboundError extends AppError {
  constructor(
    readonly reason: OutboundReason,
    message: string,
    options: OutboundErrorOptions = {},
  ) {
    const { retry = false, ambiguous = false, cause } = options;
    super(getErrorCode(reason, retry, ambiguous), message, { cause });
  }

  /** Whether the same request may succeed later. */
  get retry(): boolean {
    return this.type.failure !== 'permanent';
  }

  /** Whether the request may have taken effect without a response, so that a repetition could duplicate it. */
  get ambiguous(): boolean {
    return this.type.failure === 'ambiguous';
  }
}

function getErrorCode(reason: OutboundReason, retry: boolean, ambiguous: boolean): ErrorCode {
  if (reason === 'address_refused' || reason === 'invalid_url') return ADDRESS_NOT_ALLOWED;
  if (ambiguous) return REMOTE_OUTCOME_UNKNOWN;
  return retry ? REMOTE_FAILED : REMOTE_UNUSABLE;
}
