import { AppError, defineError, type FailureKind } from '@platform/errors';

/**
 * The reason of a failure. `rate_limited`: too many requests. `unreachable`: the request did not arrive. `unavailable`: the vendor
 * failed, and nothing was posted. `authorisation`: token or webhook are invalid, or the customer's settings forbid the call.
 * `channel`: it is deleted, archived or not accessible. `refused`: this message is refused. `unconfirmed`: the message may have been
 * posted, but no response arrived.
 */
export type ChatReason =
  | 'rate_limited'
  | 'unreachable'
  | 'unavailable'
  | 'authorisation'
  | 'channel'
  | 'refused'
  | 'unconfirmed';

const FAILURES: Record<ChatReason, FailureKind> = {
  rate_limited: 'temporary',
  unreachable: 'temporary',
  unavailable: 'temporary',
  authorisation: 'needs-human',
  channel: 'needs-human',
  refused: 'permanent',
  unconfirmed: 'ambiguous',
};

const codes = {
  temporary: defineError('CHAT_UNAVAILABLE', 'upstream', 'The chat is temporarily unavailable; try again later.'),
  permanent: defineError('CHAT_MESSAGE_REFUSED', 'upstream', 'The chat refuses this message.', 'permanent'),
  'needs-human': defineError(
    'CHAT_NOT_USABLE',
    'unprocessable',
    'The chat refuses the authorisation or the channel; a user has to connect it again or choose another channel.',
    'needs-human',
  ),
  ambiguous: defineError(
    'CHAT_OUTCOME_UNKNOWN',
    'upstream',
    'The chat did not answer: the message may have been posted.',
    'ambiguous',
  ),
} as const;

/** A failed call of the chat. The message contains the vendor's error code at most, because webhook URLs and tokens are secrets. */
export class ChatError extends AppError {
  /** The vendor's error code such as `token_revoked`, or `http_503`. */
  readonly vendorCode: string;
  /** Milliseconds after which the vendor allows a retry. */
  readonly retryAfterMs: number | null;

  constructor(
    readonly reason: ChatReason,
    message: string,
    options: { vendorCode: string; retryAfterMs?: number | null; cause?: unknown },
  ) {
    super(codes[FAILURES[reason]], message, { cause: options.cause });
    this.vendorCode = options.vendorCode;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }

  get failure(): FailureKind {
    return this.type.failure;
  }
}
