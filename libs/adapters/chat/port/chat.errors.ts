import { AppError, defineError, type FailureKind } from '@platform/errors';

/**
 * What went wrong. `rate_limited`: too many at once. `unreachable`: the request did not get there. `unavailable`: a fault of
 * the vendor, nothing was posted. `authorisation`: token or webhook are worth nothing (any more), or the vendor's customer forbids it.
 * `channel`: it is gone, archived, or not open to us. `refused`: this message, others need not be. `lost`: no answer to what may
 * have been posted.
 */
export type ChatReason =
  | 'rate_limited'
  | 'unreachable'
  | 'unavailable'
  | 'authorisation'
  | 'channel'
  | 'refused'
  | 'lost';

const FAILURES: Record<ChatReason, FailureKind> = {
  rate_limited: 'temporary',
  unreachable: 'temporary',
  unavailable: 'temporary',
  authorisation: 'needs-human',
  channel: 'needs-human',
  refused: 'permanent',
  lost: 'ambiguous',
};

const codes = {
  temporary: defineError('CHAT_UNAVAILABLE', 'upstream', 'The chat takes nothing at the moment; try again later.'),
  permanent: defineError('CHAT_MESSAGE_REFUSED', 'upstream', 'The chat refuses this message.', 'permanent'),
  'needs-human': defineError(
    'CHAT_NOT_USABLE',
    'unprocessable',
    'The chat refuses the authorisation or the channel; somebody has to connect it anew or choose another channel.',
    'needs-human',
  ),
  ambiguous: defineError(
    'CHAT_OUTCOME_UNKNOWN',
    'upstream',
    'The chat did not answer: the message may have been posted.',
    'ambiguous',
  ),
} as const;

/** A call of the chat failed. The message names the vendor's word for it at most: addresses of webhooks and tokens are secrets. */
export class ChatError extends AppError {
  /** The vendor's word for it, such as `token_revoked`, or `http_503`. */
  readonly word: string;
  /** Milliseconds after which the vendor asks to be tried again. */
  readonly retryAfterMs: number | null;

  constructor(
    readonly reason: ChatReason,
    message: string,
    options: { word: string; retryAfterMs?: number | null; cause?: unknown },
  ) {
    super(codes[FAILURES[reason]], message, { cause: options.cause });
    this.word = options.word;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }

  get failure(): FailureKind {
    return this.type.failure;
  }
}
