import { type ErrorDetail } from '@platform/errors';

interface RefusalFields {
  /** The platform's own code (docs/reference/errors.md), or one of those below. */
  readonly code: string;
  readonly message: string;
  /** HTTP status, where there was an answer. */
  readonly status?: number;
  readonly details?: readonly ErrorDetail[];
  readonly errorId?: string;
  /** When asking again makes sense. */
  readonly retryAfterSeconds?: number;
}

/**
 * Why a tool has no result, in words for the AI tool and its user. Codes that are not the platform's: `UNREACHABLE`, `TIMEOUT`,
 * `UNEXPECTED_ANSWER`, `ANSWER_TOO_LARGE`, `NOT_NOW` (a precondition does not hold), `INVALID_ARGUMENT`.
 */
export class ToolRefusedError extends Error {
  override readonly name = 'ToolRefusedError';

  constructor(readonly fields: RefusalFields) {
    super(fields.message);
  }
}

interface FormB {
  error: { code: string; message: string; details?: ErrorDetail[]; errorId?: string };
}

interface FormA {
  error: string;
  message: string;
  errorId?: string;
}

/** What a status other than 2xx says: the API has two forms of errors, and what is between it and us may have any. */
export function toRefusal(status: number, body: unknown, retryAfterMs: number | null): ToolRefusedError {
  const later = retryAfterMs === null ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) };
  if (isFormB(body)) return new ToolRefusedError({ ...body.error, status, ...later });
  if (isFormA(body)) {
    const code = body.error.toUpperCase().replaceAll(/[^A-Z]+/g, '_');
    return new ToolRefusedError({
      code,
      message: body.message,
      status,
      ...(body.errorId && { errorId: body.errorId }),
      ...later,
    });
  }
  const message =
    status >= 300 && status < 400
      ? 'The address redirects: OUTREACH_URL is not that of the platform'
      : 'Something that is not the platform’s API answered: is OUTREACH_URL right?';
  return new ToolRefusedError({ code: 'UNEXPECTED_ANSWER', message, status, ...later });
}

function isFormB(body: unknown): body is FormB {
  const { code, message } = ((body as FormB | null)?.error ?? {}) as Partial<FormB['error']>;
  return typeof code === 'string' && typeof message === 'string';
}

function isFormA(body: unknown): body is FormA {
  const { error, message } = (body ?? {}) as Partial<FormA>;
  return typeof error === 'string' && typeof message === 'string';
}
