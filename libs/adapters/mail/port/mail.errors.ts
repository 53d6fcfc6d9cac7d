import { AppError, defineError, type FailureKind } from '@platform/errors';

/** The reply of a server, verbatim except for its length (at most 2 000 characters), control characters and bidi characters. */
export interface ServerReply {
  /** SMTP reply code, HTTP status, or the IMAP response code (`AUTHENTICATIONFAILED`); null without a reply. */
  readonly code: string | null;
  /** Enhanced status code, RFC 3463 (`5.1.1`), where the reply has one. */
  readonly enhancedCode: string | null;
  /** The command that was answered: `AUTH`, `MAIL FROM`, `LOGIN`, `POST /messages`. Never its arguments. */
  readonly command: string | null;
  readonly response: string;
}

/**
 * The stage of a failure. `busy`: before any connection, because all connections of the mailbox were in use. `address`: the
 * policy refuses the host. `resolve`: no address in DNS. `connect`: TCP. `tls`: encryption. `greeting`: the server has another
 * protocol or refuses the connection. `login`. `sender`, `recipient`, `data`: the parts of an SMTP transaction before the
 * message. `handover`: during or after the message. `request`: any other command.
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
    'The mail server is temporarily unable to do this; it is retried.',
  ),
  permanent: defineError('MAIL_REFUSED', 'upstream', 'The mail server refuses this permanently.', 'permanent'),
  'needs-human': defineError(
    'MAIL_LOGIN_REFUSED',
    'upstream',
    'The mail server refuses the credentials of the mailbox; a user has to connect the mailbox again.',
    'needs-human',
  ),
  ambiguous: defineError(
    'MAIL_OUTCOME_UNKNOWN',
    'upstream',
    'The connection was lost after the request was sent: the request may have taken effect.',
    'ambiguous',
  ),
} as const satisfies Record<FailureKind, unknown>;

export interface MailFailure {
  readonly failure: FailureKind;
  readonly stage: MailStage;
  /** One sentence without secrets. */
  readonly message: string;
  readonly lastReply: ServerReply | null;
  /** Milliseconds after which the server allows a retry (Retry-After). */
  readonly retryAfterMs: number | null;
}

/** A mail server or vendor failed to execute a request. `toFailure` of `@platform/errors` understands it. */
export class MailError extends AppError implements MailFailure {
  readonly failure: FailureKind;
  readonly stage: MailStage;
  readonly lastReply: ServerReply | null;
  readonly retryAfterMs: number | null;

  constructor(failed: Omit<MailFailure, 'lastReply' | 'retryAfterMs'> & Partial<MailFailure>, cause?: unknown) {
    super(codes[failed.failure], failed.message, { cause });
    this.failure = failed.failure;
    this.stage = failed.stage;
    this.lastReply = failed.lastReply ?? null;
    this.retryAfterMs = failed.retryAfterMs ?? null;
  }
}

const MAX_RESPONSE = 2_000;

/** Cleans a reply of a server, so that it can be stored and shown. */
export function toServerReply(said: {
  code?: string | number | null | undefined;
  enhancedCode?: string | null | undefined;
  command?: string | null | undefined;
  response: string;
}): ServerReply {
  const response = said.response
    .toWellFormed()
    // Line breaks stay, as replies may have several lines. Bidi characters could disguise the text.
    .replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '')
    .slice(0, MAX_RESPONSE);
  return {
    code: said.code === undefined || said.code === null ? null : String(said.code),
    enhancedCode: said.enhancedCode ?? null,
    command: said.command ?? null,
    response,
  };
}
