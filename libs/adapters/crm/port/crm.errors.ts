import { AppError, defineError, type FailureKind } from '@platform/errors';

/**
 * What went wrong with a call as a whole. `unreachable`, `timeout`, `server`, `protocol`: the vendor or the way to it. `rate_limited`: too
 * many requests. `quota`: none left for today. `unauthorised`: the key or the consent is gone. `forbidden`: it does not allow this.
 * `unknown_field`: a field that was asked for is not there (any more). `unsupported`: the vendor cannot do this. `cursor`: the place in a
 * list is not good (any more). `rejected`: the request is refused for another reason.
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

/** What each means for trying again. Writing that may have happened is told by person (`CrmWritten`), not thrown. */
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
  temporary: defineError('CRM_UNAVAILABLE', 'upstream', 'The CRM does not answer at the moment.'),
  permanent: defineError('CRM_REFUSED', 'upstream', 'The CRM refuses the request.', 'permanent'),
  'needs-human': defineError(
    'CRM_NOT_AUTHORISED',
    'upstream',
    'The CRM does not let us in, or not do this; somebody has to connect it anew.',
    'needs-human',
  ),
} as const;

/** The message has one sentence of the vendor at most, never a key or token. `toFailure` of `@platform/errors` understands it. */
export class CrmError extends AppError {
  readonly failure: Exclude<FailureKind, 'ambiguous'>;
  /** Milliseconds after which the vendor asks to be tried again. */
  readonly retryAfterMs: number | null;
  /** The field that is not there, where the vendor names it. */
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
