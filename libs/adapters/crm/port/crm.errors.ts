import { AppError, defineError, type FailureKind } from '@platform/errors';

/**
 * The reason of a failed call. `unreachable`, `timeout`, `server`, `protocol`: the vendor or the network. `rate_limited`: too many
 * requests. `quota`: the daily quota is used up. `unauthorised`: the key or grant is invalid. `forbidden`: it lacks a permission.
 * `unknown_field`: a requested field does not exist. `unsupported`: the vendor does not offer this. `cursor`: the cursor is
 * invalid. `rejected`: the request is refused for another reason.
 */
export type CrmReason =
  | 'unreachable'
  | 'timeout'
  | 'server'
  | 'protocol'
  | 'rate_limited'
  | 'quota'
  | 'unauthorised'
  | 'forbidden'
  | 'unknown_field'
  | 'unsupported'
  | 'cursor'
  | 'rejected';

/** The failure kind of each reason. A write with an unknown outcome is a result per person (`CrmWritten`), not an error. */
const FAILURES: Record<CrmReason, Exclude<FailureKind, 'ambiguous'>> = {
  unreachable: 'temporary',
  timeout: 'temporary',
  server: 'temporary',
  protocol: 'temporary',
  rate_limited: 'temporary',
  quota: 'temporary',
  unauthorised: 'needs-human',
  forbidden: 'needs-human',
  unknown_field: 'permanent',
  unsupported: 'permanent',
  cursor: 'permanent',
  rejected: 'permanent',
};

const codes = {
  temporary: defineError('CRM_UNAVAILABLE', 'upstream', 'The CRM is temporarily unavailable.'),
  permanent: defineError('CRM_REFUSED', 'upstream', 'The CRM refuses the request.', 'permanent'),
  'needs-human': defineError(
    'CRM_NOT_AUTHORISED',
    'upstream',
    'The CRM rejects the credentials or denies the permission; a user has to connect it again.',
    'needs-human',
  ),
} as const;

/** The message has one sentence of the vendor at most, never a key or token. `toFailure` of `@platform/errors` understands it. */
export class CrmError extends AppError {
  readonly failure: Exclude<FailureKind, 'ambiguous'>;
  /** Milliseconds after which the vendor allows a retry. */
  readonly retryAfterMs: number | null;
  /** The unknown field, where the vendor names it. */
  readonly field: string | null;

  constructor(
    readonly reason: CrmReason,
    message: string,
    options: { retryAfterMs?: number | null; field?: string | null; cause?: unknown } = {},
  ) {
    super(codes[FAILURES[reason]], message, { cause: options.cause });
    this.failure = FAILURES[reason];
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.field = options.field ?? null;
  }
}
