import { AppError, defineError, type FailureKind } from '@platform/errors';
import { type ModelAnswer } from './language-model.port';

/**
 * The reason of a failure. `unreachable`: no valid HTTP response. `timeout`: no response in time. `rate_limited`. `server`: a fault of the
 * server. `credentials`: the key is refused. `quota`: the budget is used up. `unconfigured`: the model or the URL does not exist or is not
 * configured. `too_long`: the request exceeds the context of the model. `refused`: the model or a filter refuses to answer. `truncated`:
 * the answer was longer than allowed. `malformed`: the answer is not what it should be. `rejected`: the request is wrong in another way.
 */
export type LlmReason =
  | 'unreachable'
  | 'timeout'
  | 'rate_limited'
  | 'server'
  | 'credentials'
  | 'quota'
  | 'unconfigured'
  | 'too_long'
  | 'refused'
  | 'truncated'
  | 'malformed'
  | 'rejected';

/** The failure kind of each reason. A repeated request has no further effect, so no outcome is ambiguous. */
const FAILURES: Record<LlmReason, Exclude<FailureKind, 'ambiguous'>> = {
  unreachable: 'temporary',
  timeout: 'temporary',
  rate_limited: 'temporary',
  server: 'temporary',
  malformed: 'temporary',
  credentials: 'needs-human',
  quota: 'needs-human',
  unconfigured: 'needs-human',
  too_long: 'permanent',
  refused: 'permanent',
  truncated: 'permanent',
  rejected: 'permanent',
};

const codes = {
  temporary: defineError('LLM_UNAVAILABLE', 'upstream', 'The language model is temporarily unavailable.'),
  permanent: defineError('LLM_REFUSED', 'upstream', 'The language model refuses this request.', 'permanent'),
  'needs-human': defineError(
    'LLM_NOT_USABLE',
    'upstream',
    'The language model refuses the key, the account or the name of the model; the operator has to correct it.',
    'needs-human',
  ),
} as const;

export type SpoiltAnswer = Pick<ModelAnswer, 'text' | 'usage'>;

interface FailureDetails {
  readonly retryAfterMs?: number | null;
  readonly answer?: SpoiltAnswer;
  readonly cause?: unknown;
}

/**
 * A language model did not answer. The message contains the host, the status and the server's code at most: the text of a server may repeat
 * the key or the request. `failureOf` of `@platform/errors` understands it.
 */
export class LlmError extends AppError {
  readonly reason: LlmReason;
  readonly failure: Exclude<FailureKind, 'ambiguous'>;
  /** Milliseconds after which the server allows a retry (Retry-After). */
  readonly retryAfterMs: number | null;
  /** Not a field, so that no error output shows it. */
  readonly #answer: SpoiltAnswer | null;

  constructor(reason: LlmReason, message: string, options: FailureDetails = {}) {
    super(codes[FAILURES[reason]], message, { cause: options.cause });
    this.reason = reason;
    this.failure = FAILURES[reason];
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.#answer = options.answer ?? null;
  }

  /** The text of the model, if it was truncated or no JSON; null otherwise. */
  get answer(): SpoiltAnswer | null {
    return this.#answer;
  }
}
