import { AppError } from './app.error';
import { type FailureKind } from './error-code';

/** What a thrown value means for a retry. An error that nobody classified is a fault of the moment until proven otherwise. */
export function failureOf(error: unknown): FailureKind {
  return error instanceof AppError ? error.type.failure : 'temporary';
}
