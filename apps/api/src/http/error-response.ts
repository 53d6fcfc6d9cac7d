import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { AppError, type ErrorDetail, type ErrorKind } from '@platform/errors';
import { isDatabaseUnavailable } from '@platform/database';

export interface FormABody {
  error: string;
  message: string;
  code: number;
  /** Only with 5xx: identifies the log line. */
  errorId?: string;
}

export interface FormBBody {
  success: false;
  error: { code: string; message: string; details?: readonly ErrorDetail[]; errorId?: string };
}

export interface ErrorAnswer {
  status: number;
  body: FormABody | FormBBody;
  /** An internal error: it is logged with an id that the response repeats. */
  fault: boolean;
}

export const STATUS_OF_KIND: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  payment: 402,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  unprocessable: 422,
  upstream: 502,
  unavailable: 503,
};

/** The response to an error. `formACodes` are those that the route answers in Form A. Pure. */
export function toErrorResponse(error: unknown, formACodes: readonly string[], errorId: string): ErrorAnswer {
  if (error instanceof AppError) return toAppErrorResponse(error, formACodes, errorId);
  if (error instanceof HttpException) return toHttpErrorResponse(error.getStatus(), error.message, errorId);
  if (isDatabaseUnavailable(error))
    return toHttpErrorResponse(503, 'The database is not reachable at the moment; try again', errorId);
  return {
    status: 500,
    fault: true,
    body: { success: false, error: { code: 'INTERNAL_ERROR', message: 'An internal error occurred', errorId } },
  };
}

function toAppErrorResponse(error: AppError, formACodes: readonly string[], errorId: string): ErrorAnswer {
  const status = STATUS_OF_KIND[error.type.kind];
  const always = error.type.kind === 'unauthenticated' || error.type.kind === 'unavailable';
  if (always || formACodes.includes(error.code)) return toHttpErrorResponse(status, error.message, errorId);
  const { code, message, details } = error;
  const fault = status >= 500;
  return {
    status,
    fault,
    body: { success: false, error: { code, message, ...(details ? { details } : {}), ...(fault ? { errorId } : {}) } },
  };
}

function toHttpErrorResponse(status: number, message: string, errorId: string): ErrorAnswer {
  const fault = status >= 500;
  return {
    status,
    fault,
    body: { error: STATUS_CODES[status] ?? 'Error', message, code: status, ...(fault ? { errorId } : {}) },
  };
}
