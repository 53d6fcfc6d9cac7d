import { AppError } from '@platform/errors';

/** Their messages say all that there is to say. */
const EXPLAINED = new Set(['ConfigError', 'BootError', 'StoppedError', 'BackupRefusedError', 'BackupFileError']);

/** What the operator is told of a failure: the platform's own words, or a stack where it has none. */
export function report(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  return EXPLAINED.has(error.name) ? error.message : (error.stack ?? error.message);
}
