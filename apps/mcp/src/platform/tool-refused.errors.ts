import { type ErrorDetail } from '@platform/errors';

interface RefusalFields {
  /** The platform's code (docs/reference/errors.md), or one of those below. */
  readonly code: string;
  readonly message: string;
  /** HTTP status, if there was a response. */
  readonly status?: number;
  readonly details?: readonly ErrorDetail[];
  readonly errorId?: string;
  /** When a retry makes sense. */
  readonly retryAfterSeconds?: number;
}

/**
 * Why a tool has no result, for the AI tool and its user. Codes of this program: `UNREACHABLE`, `TIMEOUT`,
 * `UNEXPECTED_ANSWER`, `ANSWER_TOO_LARGE`, `NOT_NOW` (a precondition is not met), `INVALID_ARGUMENT`.
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

/** Converts a status other than 2xx: the API has two forms of errors, and a proxy may answer in any form. */
export function toToolRefusal(status: number, body: unknown, retryAfterMs: number | null): ToolRefusedError {
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
      ? 'The platform redirects: OUTREACH_URL is not its address'
      : 'The response is not from the platform’s API: check OUTREACH_URL';
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
