import { AppError } from '@platform/errors';

/** Errors whose message is sufficient. */
const EXPLAINED = new Set(['ConfigError', 'BootError', 'StoppedError', 'BackupRefusedError', 'BackupFileError']);

/** The failure as printed for the operator: the message of a known error, or the stack of any other. */
export function report(error: unknown): string {
  if (error instanceof AppError) return `${error.code}: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  return EXPLAINED.has(error.name) ? error.message : (error.stack ?? error.message);
}
