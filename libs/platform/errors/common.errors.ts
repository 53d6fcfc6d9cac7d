import { AppError, type ErrorDetail } from './app.errors';
import { defineError } from './error-code';

const VALIDATION_ERROR = defineError(
  'VALIDATION_ERROR',
  'invalid',
  'A field of the request is missing or invalid; `details` names it.',
);
const NOT_FOUND = defineError('NOT_FOUND', 'not-found', 'The workspace has no such record.');
const FORBIDDEN = defineError('FORBIDDEN', 'forbidden', 'The API key lacks the permission.');
const CONFLICT = defineError('CONFLICT', 'conflict', 'The state of the record does not allow the request.');
const LIMIT_EXCEEDED = defineError('LIMIT_EXCEEDED', 'conflict', 'A limit of the workspace or user is reached.');
const SERVICE_UNAVAILABLE = defineError(
  'SERVICE_UNAVAILABLE',
  'unavailable',
  'The database or the queue is temporarily unavailable. Nothing was changed; try again.',
);

export function validationFailed(details: readonly ErrorDetail[], message = summary(details)): AppError {
  return new AppError(VALIDATION_ERROR, message, { details });
}

export function invalidField(field: string, message: string): AppError {
  return validationFailed([{ field, message }], message);
}

/** `notFound('Workspace')` has the message "Workspace not found"; `or` adds another possible reason. */
export function notFound(thing: string, or?: string): AppError {
  return new AppError(NOT_FOUND, `${thing} not found${or === undefined ? '' : ` or ${or}`}`);
}

export function forbidden(message: string): AppError {
  return new AppError(FORBIDDEN, message);
}

export function conflict(message: string): AppError {
  return new AppError(CONFLICT, message);
}

export function limitExceeded(message: string): AppError {
  return new AppError(LIMIT_EXCEEDED, message);
}

export function unavailable(message: string, cause?: unknown): AppError {
  return new AppError(SERVICE_UNAVAILABLE, message, { cause });
}

function summary(details: readonly ErrorDetail[]): string {
  return details.length === 0 ? 'The request is invalid' : details.map(({ message }) => message).join('; ');
}
