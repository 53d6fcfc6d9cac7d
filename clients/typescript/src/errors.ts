import type { ErrorCode } from './generated/operations.gen.ts';
import { retryAfterMs } from './retry.ts';

/** The base class of all errors of the client. */
export class OutreachError extends Error {
  override readonly name: string = 'OutreachError';
}

/** The platform is unreachable, or did not answer in time (`timedOut`). */
export class ConnectionError extends OutreachError {
  override readonly name = 'ConnectionError';
  readonly timedOut: boolean;

  constructor(message: string, options: { cause?: unknown; timedOut?: boolean } = {}) {
    super(message, { cause: options.cause });
    this.timedOut = options.timedOut ?? false;
  }
}

/** One invalid field of the request, with the reason. */
export interface ErrorDetail {
  field: string;
  message: string;
}

/** A code of docs/reference/errors.md, or the status text of a response by the HTTP layer: `UNAUTHORIZED`, `TOO_MANY_REQUESTS`. */
export type ApiErrorCode = ErrorCode | (string & {});

/** The platform rejected the request. Both error formats of the API are converted to this class. */
export class ApiError extends OutreachError {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ApiErrorCode;
  /** The invalid fields; empty when the error is not about fields. */
  readonly details: readonly ErrorDetail[];
  /** With 5xx: identifies the line in the platform's log. */
  readonly errorId: string | undefined;
  readonly requestId: string | undefined;
  /** The wait that the platform requests (ms). */
  readonly retryAfterMs: number | undefined;

  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown) {
    const { message, code, details = [], errorId } = readBody(status, body);
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.errorId = errorId;
    this.requestId = headers.get('x-request-id') ?? undefined;
    this.retryAfterMs = retryAfterMs(headers.get('retry-after'), headers.get('date'));
  }
}

interface ErrorFields {
  message: string;
  code: ApiErrorCode;
  details?: ErrorDetail[];
  errorId?: string;
}

/** An envelope `{success: false, error: {code, message}}`, or `{error, message, code}` as HTTP layers write it. */
function readBody(status: number, body: unknown): ErrorFields {
  if (isObject(body)) {
    const { error, message, errorId } = body;
    if (isObject(error)) return error as unknown as ErrorFields;
    if (typeof error === 'string') {
      const fields = { message: typeof message === 'string' ? message : error, code: codeOf(error) };
      return typeof errorId === 'string' ? { ...fields, errorId } : fields;
    }
  }
  return { message: `The answer (${status}) is not one of the platform`, code: 'UNEXPECTED_ANSWER' };
}

/** Converts a status text to a code: `Not Found` to `NOT_FOUND`. */
function codeOf(statusText: string): string {
  return statusText.toUpperCase().replaceAll(/[^A-Z]+/g, '_');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
