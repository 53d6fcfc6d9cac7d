import { AppError, defineError, type FailureKind } from '@platform/errors';

/** What the other side said, verbatim but for its length (at most 2 000 characters), control characters and those that turn the writing around. */
export interface ServerReply {
  /** SMTP reply code, HTTP status, or the IMAP response code (`AUTHENTICATIONFAILED`); null when nothing was said. */
  readonly code: string | null;
  /** Enhanced status code, RFC 3463 (`5.1.1`), where one was given. */
  readonly enhancedCode: string | null;
  /** The command that was answered: `AUTH`, `MAIL FROM`, `LOGIN`, `POST /messages`. Never its arguments. */
  readonly command: string | null;
  readonly response: string;
}

/**
 * Where it ended. `busy`: nowhere near the server; all of the mailbox's own connections were in use. `address`: the host is refused by policy. `resolve`: no address in DNS. `connect`: TCP. `tls`:
 * encryption. `greeting`: the server speaks something else or turned us away. `login`. `sender`, `recipient`, `data`: the
 * parts of an SMTP transaction before its message. `handover`: the message was being given or had been given. `request`:
 * any other command.
 */
export type MailStage =
  | 'busy'
  | 'address'
  | 'resolve'
  | 'connect'
  | 'tls'
  | 'greeting'
  | 'login'
  | 'sender'
  | 'recipient'
  | 'data'
  | 'handover'
  | 'request';

const codes = {
  temporary: defineError(
    'MAIL_UNAVAILABLE',
    'upstream',
    'The mail server cannot do this at the moment; it is tried again.',
  ),
  permanent: defineError('MAIL_REFUSED', 'upstream', 'The mail server refuses this for good.', 'permanent'),
  'needs-human': defineError(
    'MAIL_LOGIN_REFUSED',
    'upstream',
    'The mail server refuses the credentials of the mailbox; somebody has to connect it again.',
    'needs-human',
  ),
  ambiguous: defineError(
    'MAIL_OUTCOME_UNKNOWN',
    'upstream',
    'The connection was lost after the request was given away: it may have taken effect.',
    'ambiguous',
  ),
} as const satisfies Record<FailureKind, unknown>;

export interface MailFailure {
  readonly failure: FailureKind;
  readonly stage: MailStage;
  /** One sentence without secrets. */
  readonly message: string;
  readonly words: ServerReply | null;
  /** Milliseconds after which the server asks to be tried again (Retry-After). */
  readonly retryAfterMs: number | null;
}

/** A mail server or vendor did not do what it was asked. `toFailure` of `@platform/errors` understands it. */
export class MailError extends AppError implements MailFailure {
  readonly failure: FailureKind;
  readonly stage: MailStage;
  readonly words: ServerReply | null;
  readonly retryAfterMs: number | null;

  constructor(failed: Omit<MailFailure, 'words' | 'retryAfterMs'> & Partial<MailFailure>, cause?: unknown) {
    super(codes[failed.failure], failed.message, { cause });
    this.failure = failed.failure;
    this.stage = failed.stage;
    this.words = failed.words ?? null;
    this.retryAfterMs = failed.retryAfterMs ?? null;
  }
}

const MAX_WORDS = 2_000;

/** The server's words as they may be stored and shown. */
export function serverWords(said: {
  code?: string | number | null | undefined;
  enhancedCode?: string | null | undefined;
  command?: string | null | undefined;
  response: string;
}): ServerReply {
  const response = said.response
    .toWellFormed()
    // Line breaks stay: a multi-line reply is read as such. What turns the direction of writing makes words look like others.
    .replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '')
    .slice(0, MAX_WORDS);
  return {
    code: said.code === undefined || said.code === null ? null : String(said.code),
    enhancedCode: said.enhancedCode ?? null,
    command: said.command ?? null,
    response,
  };
}
