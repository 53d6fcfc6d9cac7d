import { AppError } from '@platform/errors';

/** What the operator is told of a failure: the platform's own words, or a stack where it has none. */
export function report(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  return error.name === 'ConfigError' ? error.message : (error.stack ?? error.message);
}
