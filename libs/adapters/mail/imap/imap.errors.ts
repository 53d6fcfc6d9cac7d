import { type FailureKind } from '@platform/errors';
import { OutboundError } from '@platform/outbound';
import { SecretMask } from '../smtp/secret-mask';
import { isNotTls } from '../smtp/smtp-dial';
import { MailError, type MailStage, type ServerReply, toServerReply } from '../port/mail.errors';

/** Properties of connection errors from imapflow and Node. */
export interface ImapFailure {
  readonly message?: string;
  readonly code?: string;
  readonly syscall?: string;
  /** `NO` or `BAD`: the server replied. */
  readonly responseStatus?: string;
  /** The RFC 5530 code in brackets. */
  readonly serverResponseCode?: string;
  readonly responseText?: string;
  /** Parsed, or as text once imapflow has formatted it. */
  readonly response?: unknown;
  readonly authenticationFailed?: boolean;
  readonly tlsFailed?: boolean;
  readonly mailboxMissing?: boolean;
  /** Text of the BYE with which the server ended the connection. */
  readonly reason?: string;
  /** Milliseconds after which Microsoft 365 allows a retry. */
  readonly throttleReset?: number;
}

/** RFC 5530 codes of temporary failures. */
const TEMPORARY_CODES: ReadonlySet<string> = new Set(['UNAVAILABLE', 'INUSE', 'LIMIT', 'SERVERBUG', 'EXPUNGEISSUED']);
/** RFC 5530 and 9051 codes of permanent failures. */
const PERMANENT_CODES: ReadonlySet<string> = new Set([
  'NONEXISTENT',
  'TRYCREATE',
  'NOPERM',
  'CANNOT',
  'ALREADYEXISTS',
  'TOOBIG',
  'APPENDLIMIT',
  'BADCHARSET',
]);
/** Phrases of temporary failures from servers without codes: Gmail, Microsoft 365, Dovecot, Cyrus, Courier. */
const TEMPORARY_PHRASES =
  /too many|try(ing)? again|temporar|not available|unavailable|throttl|rate limit|over ?load|busy|internal (server )?error|not connected|timed? ?out/i;

/** Message of imapflow when the server offers no supported login method. */
const NO_MECHANISM = /^Unsupported authentication mechanism/;

const OPEN_SSL = /^(?:ERR_SSL|ERR_OSSL|EPROTO)/;

/** imapflow's names for lines that no IMAP server sends before the login is through. */
const TOO_LARGE: ReadonlySet<string> = new Set(['LineTooLarge', 'LiteralTooLarge', 'ResponseTooLarge']);

/** For replies after the login. */
const NOTHING_SECRET = new SecretMask();

const INTERNAL = /internal (server )?error/i;

/** RFC 5530 codes that blame the credentials. */
const REFUSALS: ReadonlySet<string> = new Set(['AUTHENTICATIONFAILED', 'AUTHORIZATIONFAILED', 'EXPIRED']);

/** The context of a failure. */
export interface Situation {
  readonly stage: MailStage;
  /** The running IMAP command. */
  readonly command?: string | undefined;
  /** Whether the command may have taken effect without an answer and must not be repeated. */
  readonly committed?: boolean;
  /** Whether a NO without a reason is permanent. */
  readonly lasting?: boolean;
  /** Without TLS from the first byte. */
  readonly plain?: boolean;
  /** Masks credentials that a server repeats. */
  readonly mask?: SecretMask;
}

/** Converts the failure of a connection or command to a MailError. */
export function getMailError(error: unknown, situation: Situation): MailError {
  if (error instanceof MailError) return error;
  if (error instanceof OutboundError) {
    const stage = error.reason === 'dns' ? 'resolve' : 'address';
    return new MailError({ failure: error.retry ? 'temporary' : 'needs-human', stage, message: error.message }, error);
  }
  const failed = (typeof error === 'object' && error !== null ? error : {}) as ImapFailure;
  if (isAnswer(failed) || NO_MECHANISM.test(failed.message ?? '')) return toAnsweredError(failed, situation);
  return toUnansweredError(failed, situation);
}

/** Whether the server answered NO or BAD. */
export function isAnswer(error: unknown): boolean {
  const { responseStatus, authenticationFailed } = (error ?? {}) as ImapFailure;
  return Boolean(responseStatus) || authenticationFailed === true;
}

/** Whether a failure makes the connection unusable, as opposed to a reply or a bug. */
export function isImapConnectionFailure(error: unknown, isUnusable: boolean): boolean {
  if (error instanceof MailError || isAnswer(error)) return false;
  return isUnusable || typeof (error as ImapFailure | null)?.code === 'string';
}

/**
 * Returns the cause of a refusal to return a message: the `message`; the `server`, which reports an internal error that the message
 * may have triggered (Dovecot's SERVERBUG); or null for a temporary failure or none.
 */
export function getBlame(error: unknown): 'message' | 'server' | null {
  const failed = (error ?? {}) as ImapFailure;
  if (!failed.responseStatus || failed.code === 'ETHROTTLE') return null;
  const code = getCode(failed);
  if (code === 'SERVERBUG' || (code === null && INTERNAL.test(getText(failed)))) return 'server';
  return isTemporary(failed, code) ? null : 'message';
}

function toAnsweredError(failed: ImapFailure, situation: Situation): MailError {
  const code = getCode(failed);
  const lastReply = toReply(failed, code, situation);
  const retryAfterMs = failed.throttleReset ?? null;
  if (situation.stage === 'login') {
    const failure = isTemporary(failed, code) && !REFUSALS.has(code ?? '') ? 'temporary' : 'needs-human';
    return new MailError({
      failure,
      stage: 'login',
      message: getLoginMessage(failed, failure),
      lastReply,
      retryAfterMs,
    });
  }
  const failure = getRequestFailure(failed, code, situation.lasting ?? false);
  const message =
    failure === 'permanent'
      ? 'The IMAP server refuses the request'
      : 'The IMAP server is temporarily unable to do this';
  return new MailError({ failure, stage: situation.stage, message, lastReply, retryAfterMs });
}

function getLoginMessage({ responseStatus, response, message }: ImapFailure, failure: FailureKind): string {
  if (failure === 'temporary') return 'The IMAP server temporarily refuses the login';
  if (responseStatus || response) return 'The IMAP server refuses the credentials';
  // Without a reply, imapflow itself failed: LOGINDISABLED, or no mechanism in common.
  return `The IMAP server offers no supported login method (${message ?? 'unknown'})`;
}

function getRequestFailure(failed: ImapFailure, code: string | null, lasting: boolean): FailureKind {
  if (isTemporary(failed, code)) return 'temporary';
  if (lasting && code === null) return 'permanent';
  if (failed.mailboxMissing || (code !== null && PERMANENT_CODES.has(code)) || failed.responseStatus === 'BAD') {
    return 'permanent';
  }
  return 'temporary';
}

function isTemporary(failed: ImapFailure, code: string | null): boolean {
  if (failed.code === 'ETHROTTLE') return true;
  if (code !== null) return TEMPORARY_CODES.has(code);
  return TEMPORARY_PHRASES.test(getText(failed));
}

/** The connection failed or was lost. */
function toUnansweredError(
  failed: ImapFailure,
  { stage: where, command, committed, plain = false, mask = NOTHING_SECRET }: Situation,
): MailError {
  const stage = getStage(failed, where);
  // OpenSSL's errors also have a reason, which is no reply of a server.
  const response = OPEN_SSL.test(failed.code ?? '') ? '' : (failed.reason ?? '');
  const lastReply =
    response === '' ? null : toServerReply({ code: null, command: null, response: mask.apply(response) });
  // A system or TLS error contains addresses and reasons; imapflow's errors contain the traffic.
  const cause = failed.syscall !== undefined || stage === 'tls' ? toCause(failed) : undefined;
  const failure = committed && stage === 'request' ? 'ambiguous' : 'temporary';
  return new MailError({ failure, stage, message: getMessage(stage, failed, command, plain), lastReply }, cause);
}

function getStage({ code, tlsFailed }: ImapFailure, where: MailStage): MailStage {
  if (tlsFailed) return 'tls';
  return where === 'login' && TOO_LARGE.has(code ?? '') ? 'greeting' : where;
}

function getMessage(stage: MailStage, failed: ImapFailure, command: string | undefined, plain: boolean): string {
  const { code } = failed;
  const why = code === undefined ? '' : ` (${code})`;
  if (stage === 'tls') return getTlsMessage(failed, why);
  if (stage === 'greeting' && TOO_LARGE.has(code ?? '')) return `The service on this port is not IMAP${why}`;
  if (stage === 'greeting' && plain && code?.includes('TIMEOUT')) {
    return 'The IMAP server sent nothing; it may expect TLS from the first byte';
  }
  const happened =
    FAILURE_STAGES[stage] ?? `The connection to the IMAP server was lost${command ? ` during ${command}` : ''}`;
  return `${happened}${why}`;
}

/** The message of OpenSSL is not helpful; its code is part of our message. */
function getTlsMessage({ code, tlsFailed, message }: ImapFailure, why: string): string {
  if (code === undefined && /STARTTLS/.test(message ?? '')) return 'The IMAP server offers no encryption (STARTTLS)';
  if (!tlsFailed && isNotTls(code ?? '')) {
    return `The IMAP server does not speak TLS from the first byte on this port; it may expect STARTTLS${why}`;
  }
  return `No trusted TLS connection to the IMAP server${why}`;
}

const FAILURE_STAGES: Partial<Record<MailStage, string>> = {
  connect: 'The IMAP server cannot be reached',
  greeting: 'The IMAP server did not greet',
  login: 'The connection to the IMAP server was lost at the login',
};

function toCause({ code, message }: ImapFailure): Error {
  return Object.assign(new Error(message ?? 'unknown'), code === undefined ? {} : { code });
}

function getCode({ serverResponseCode, response }: ImapFailure): string | null {
  if (serverResponseCode) return serverResponseCode.toUpperCase();
  const section = getSection(response);
  return section === null ? null : section.toUpperCase();
}

/** First atom of `[CODE ...]` in a parsed response. */
function getSection(response: unknown): string | null {
  if (typeof response !== 'object' || response === null) return null;
  const { attributes } = response as { attributes?: ({ section?: ({ value?: unknown } | null)[] } | null)[] };
  const value = attributes?.[0]?.section?.[0]?.value;
  return typeof value === 'string' ? value : null;
}

function getText({ responseText, response, message }: ImapFailure): string {
  if (responseText) return responseText;
  return typeof response === 'string' ? response : (message ?? '');
}

function toReply(
  failed: ImapFailure,
  code: string | null,
  { command, mask = NOTHING_SECRET }: Situation,
): ServerReply | null {
  const said = failed.responseText ?? (typeof failed.response === 'string' ? failed.response : '');
  if (!said && !failed.responseStatus) return null;
  const status = failed.responseStatus ?? 'NO';
  const response = typeof failed.response === 'string' && !failed.responseText ? said : toLine(status, code, said);
  return toServerReply({ code, command: command ?? null, response: mask.apply(response) });
}

function toLine(status: string, code: string | null, said: string): string {
  return [status, ...(code === null ? [] : [`[${code}]`]), said].join(' ').trimEnd();
}
