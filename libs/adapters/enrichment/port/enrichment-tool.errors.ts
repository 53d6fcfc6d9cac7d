import { AppError, defineError, type FailureKind } from '@platform/errors';

/**
 * What went wrong. `unreachable`: no answer in proper HTTP. `timeout`: none in time. `rate_limited`: too many rows at once.
 * `server`: a fault of the other side. `credentials`: the token is refused. `no_table`: nothing takes rows at this address.
 * `quota`: the account may add no more rows. `rejected`: this row is refused, others need not be.
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

/** What each means for trying again. A row that arrives twice is known by its id, so none is ambiguous. */
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
  temporary: defineError('ENRICHMENT_TOOL_UNAVAILABLE', 'upstream', 'The enrichment tool takes no rows at the moment.'),
  permanent: defineError('ENRICHMENT_ROW_REFUSED', 'upstream', 'The enrichment tool refuses this row.', 'permanent'),
  'needs-human': defineError(
    'ENRICHMENT_TOOL_NOT_USABLE',
    'upstream',
    'The enrichment tool refuses the token or the address, or has no room; somebody has to look after its settings.',
    'needs-human',
  ),
} as const;

/**
 * A row was not added. The message has the host and the status at most: paths are secrets, and what servers say in words may
 * repeat the row. `failureOf` of `@platform/errors` understands it.
 */
export class EnrichmentToolError extends AppError {
  readonly failure: Exclude<FailureKind, 'ambiguous'>;
  /** Milliseconds after which the tool asks to be tried again (Retry-After). */
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
