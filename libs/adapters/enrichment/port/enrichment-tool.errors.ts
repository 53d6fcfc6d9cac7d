import { AppError, defineError, type FailureKind } from '@platform/errors';

/**
 * The reason of a failure. `unreachable`: no valid HTTP response. `timeout`: no response in time. `rate_limited`: too many rows at once.
 * `server`: a fault of the tool. `credentials`: the token is refused. `no_table`: no table accepts rows at this URL. `quota`: the account
 * must not add more rows. `rejected`: only this row is refused.
 */
export type EnrichmentToolReason =
  | 'unreachable'
  | 'timeout'
  | 'rate_limited'
  | 'server'
  | 'credentials'
  | 'no_table'
  | 'quota'
  | 'rejected';

/** The failure kind of each reason. A repeated row is recognised by its id, so no outcome is ambiguous. */
const FAILURES: Record<EnrichmentToolReason, Exclude<FailureKind, 'ambiguous'>> = {
  unreachable: 'temporary',
  timeout: 'temporary',
  rate_limited: 'temporary',
  server: 'temporary',
  credentials: 'needs-human',
  no_table: 'needs-human',
  quota: 'needs-human',
  rejected: 'permanent',
};

const codes = {
  temporary: defineError('ENRICHMENT_TOOL_UNAVAILABLE', 'upstream', 'The enrichment tool is temporarily unavailable.'),
  permanent: defineError('ENRICHMENT_ROW_REFUSED', 'upstream', 'The enrichment tool refuses this row.', 'permanent'),
  'needs-human': defineError(
    'ENRICHMENT_TOOL_NOT_USABLE',
    'upstream',
    'The enrichment tool refuses the token or the address, or has no room; a person has to correct its settings.',
    'needs-human',
  ),
} as const;

/**
 * A row was not added. The message contains the host and the status at most: paths are secrets, and the text of a server may repeat the
 * row. `failureOf` of `@platform/errors` understands it.
 */
export class EnrichmentToolError extends AppError {
  readonly failure: Exclude<FailureKind, 'ambiguous'>;
  /** Milliseconds after which the tool allows a retry (Retry-After). */
  readonly retryAfterMs: number | null;

  constructor(
    readonly reason: EnrichmentToolReason,
    message: string,
    options: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(codes[FAILURES[reason]], message, { cause: options.cause });
    this.failure = FAILURES[reason];
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
