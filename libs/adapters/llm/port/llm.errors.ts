import { AppError, defineError, type FailureKind } from '@platform/errors';
import { type ModelAnswer } from './language-model.port';

/**
 * What went wrong. `unreachable`: no answer in proper HTTP. `timeout`: none in time. `rate_limited`. `server`: a fault of the
 * other side. `credentials`: the key is refused. `quota`: nothing is left to pay with. `unconfigured`: no such model or no such
 * address, or none was named. `too_long`: the question does not fit the model. `refused`: the model, or a filter before it, will not answer.
 * `truncated`: the answer was longer than allowed. `malformed`: the answer is not what it should be. `rejected`: the request is
 * wrong in another way.
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

/** What each means for asking again. Nothing here has an effect that asking twice would double, so none is ambiguous. */
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
    'The language model refuses the key, the account or the name of the model; the operator has to look after it.',
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
 * A language model did not answer. The message has the host, the status and the server's own code at most: what servers say in
 * words may repeat the key or the question. `failureOf` of `@platform/errors` understands it.
 */
export class LlmError extends AppError {
  readonly reason: LlmReason;
  readonly failure: Exclude<FailureKind, 'ambiguous'>;
  /** Milliseconds after which the server asks to be tried again (Retry-After). */
  readonly retryAfterMs: number | null;
  /** Not a field: nothing that prints errors may show it. */
  readonly #answer: SpoiltAnswer | null;

  constructor(reason: LlmReason, message: string, options: FailureDetails = {}) {
    super(codes[FAILURES[reason]], message, { cause: options.cause });
    this.reason = reason;
    this.failure = FAILURES[reason];
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.#answer = options.answer ?? null;
  }

  /** What the model had written all the same, where it was no JSON or was cut off at its longest; null otherwise. */
  get answer(): SpoiltAnswer | null {
    return this.#answer;
  }
}
