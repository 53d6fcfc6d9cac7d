import { AppError } from './app.errors';
import { type FailureKind } from './error-code';

/** Returns the failure kind of a thrown value. An unclassified error counts as temporary. */
export function toFailureKind(error: unknown): FailureKind {
  return error instanceof AppError ? error.type.failure : 'temporary';
}
