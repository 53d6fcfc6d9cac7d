import { type IncomingHttpHeaders } from 'node:http';
import { MailError, type MailFailure, type MailStage, toServerReply } from '../port/mail.errors';
import { toInterruptedRequest } from '../concurrency/interrupted-request';

/** An error response of Gmail. */
export interface Refusal {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Method and path without ids: `GET messages/{id}`. */
  readonly command: string;
  readonly stage: MailStage;
}

/**
 * Classifies a refusal by the reasons of "Resolve errors" in Gmail's guides and of google.rpc.ErrorInfo. A 5xx is `temporary`
 * here; the caller makes it `ambiguous` for requests that must not be repeated.
 * @param now milliseconds, for a Retry-After that is a date
 */
export function toGmailFailure(refusal: Refusal, now: number): MailFailure {
  const { status, headers, body, command, stage } = refusal;
  const { message, reasons } = parseErrorBody(body);
  const failure = getFailureKind(status, reasons);
  return {
    failure,
    stage: failure === 'needs-human' ? 'login' : stage,
    message: `Gmail answered ${status} to ${command}: ${(message || 'no reason given').slice(0, 300)}`,
    lastReply: toServerReply({ code: status, command, response: body.trim() || message }),
    retryAfterMs: failure === 'temporary' ? getRetryAfterMs(headers, message, reasons, now) : null,
  };
}

/** Whether Gmail asks for fewer requests. It answers 403 as well as 429. */
export function isRateLimit({ lastReply }: MailFailure): boolean {
  if (lastReply?.code === '429') return true;
  return lastReply?.code === '403' && parseErrorBody(lastReply.response).reasons.some((reason) => RATE.test(reason));
}

/** Whether the requested resource does not exist. */
export function isGmailNotFound(error: unknown): boolean {
  return error instanceof MailError && error.lastReply?.code === '404';
}

/** Whether the new resource exists already or conflicts with another one. */
export function isConflict(error: unknown): error is MailError {
  return error instanceof MailError && error.lastReply?.code === '409';
}

const RATE = /(rate|user|concurrent|daily)_?limit_?exceeded$|^quota_?exceeded$/i;
const DAILY = /daily_?limit/i;
/** Retry interval for a daily quota, for which Gmail states no time. */
const DAILY_RETRY_MS = 3_600_000;

function getFailureKind(status: number, reasons: readonly string[]): MailFailure['failure'] {
  if (status === 401) return 'needs-human';
  // A redirect is not followed, because the token would be sent along.
  if (status < 400) return 'temporary';
  if (status === 429 || status === 408 || status === 409 || status >= 500) return 'temporary';
  if (status === 403) return reasons.some((reason) => RATE.test(reason)) ? 'temporary' : 'needs-human';
  // "Mail service not enabled", and the service account of a domain without this mailbox.
  if (status === 400 && reasons.includes('failedPrecondition')) return 'needs-human';
  return 'permanent';
}

interface ErrorBody {
  readonly error?: {
    readonly message?: unknown;
    readonly status?: unknown;
    readonly errors?: readonly { readonly reason?: unknown }[];
    readonly details?: readonly { readonly reason?: unknown }[];
  };
}

/** The message and reasons of Google's error format; the page of a proxy has neither. */
function parseErrorBody(body: string): { message: string; reasons: string[] } {
  try {
    const { error } = JSON.parse(body) as ErrorBody;
    const reasons = [...(error?.errors ?? []), ...(error?.details ?? [])].map((entry) => entry?.reason);
    if (error?.status === 'FAILED_PRECONDITION') reasons.push('failedPrecondition');
    return {
      message: typeof error?.message === 'string' ? error.message : '',
      reasons: reasons.filter((reason) => typeof reason === 'string'),
    };
  } catch {
    return { message: '', reasons: [] };
  }
}

function getRetryAfterMs(
  headers: IncomingHttpHeaders,
  message: string,
  reasons: readonly string[],
  now: number,
): number | null {
  const header = headers['retry-after']?.trim() ?? '';
  if (/^\d{1,8}$/.test(header)) return Number(header) * 1_000;
  // Gmail states the time in the message: "User-rate limit exceeded.  Retry after 2026-11-21T10:00:00.000Z".
  const until = Date.parse(header || (/Retry after (\d{4}-[\d:.TZ-]+)/.exec(message)?.[1] ?? ''));
  if (!Number.isNaN(until)) return Math.max(0, until - now);
  return reasons.some((reason) => DAILY.test(reason)) ? DAILY_RETRY_MS : null;
}

/**
 * Classifies a request without a complete response.
 * @param repeatable whether the request can safely be repeated; otherwise the outcome is `ambiguous`, unless no connection was established
 */
export function toUnansweredError(error: unknown, command: string, stage: MailStage, repeatable: boolean): MailError {
  const interrupted = toInterruptedRequest(error);
  const failure = interrupted.isSent && !repeatable ? 'ambiguous' : 'temporary';
  const message = `Gmail did not answer ${command}: ${interrupted.code || 'connection lost'}`;
  const isOurs = interrupted.stage === 'request' || failure === 'ambiguous';
  return new MailError({ failure, stage: isOurs ? stage : interrupted.stage, message }, error);
}

/** Whether the connection broke during a request; false for a timeout or a missing connection. */
export function isGmailConnectionFailure(error: unknown): boolean {
  return (
    error instanceof MailError &&
    error.lastReply === null &&
    CONNECTION_FAILURES.has(toInterruptedRequest(error.cause).code)
  );
}

const CONNECTION_FAILURES = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'ECONNABORTED']);
