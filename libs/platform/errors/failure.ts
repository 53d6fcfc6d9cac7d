import { AppError } from './app.errors';
import { type FailureKind } from './error-code';

/** What a thrown value means for a retry. An error that nobody classified is a fault of the moment until proven otherwise. */
export function toFailure(error: unknown): FailureKind {
  return error instanceof AppError ? error.type.failure : 'temporary';
}
