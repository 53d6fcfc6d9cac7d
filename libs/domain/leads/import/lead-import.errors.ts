import { AppError, conflict, defineError, invalidField } from '@platform/errors';
import { CsvFormatError } from './import-file.errors';
import { ImportColumnError } from './import-file.errors';
import { ImportHeaderError } from './import-file.errors';
import { type ImportProblem, type ImportStatus } from './schemas/lead-import.record';
import { UnreadableUploadError } from './import-file.errors';

const CSV_UNREADABLE = defineError(
  'CSV_UNREADABLE',
  'unprocessable',
  'A row of the file cannot be separated from the next one; the rows before it were imported. Appears in the `error` of an import.',
);
const IMPORT_STUCK = defineError(
  'IMPORT_STUCK',
  'unprocessable',
  'The import made no progress in repeated attempts. Appears in the `error` of an import.',
);
const FILE_MISSING = defineError(
  'IMPORT_FILE_GONE',
  'unprocessable',
  'The uploaded file no longer exists; upload it again. Appears in the `error` of an import.',
);

/** Converts an error of an upload to the error of the response; returns other errors unchanged. */
export function toUploadRefusal(error: unknown): unknown {
  if (error instanceof ImportColumnError) return invalidField('mapping', error.message);
  if (error instanceof ImportHeaderError || error instanceof UnreadableUploadError)
    return invalidField('file', error.message);
  return error;
}

/** The reason for which an import fails permanently; null for temporary errors. */
export function findFinalProblem(error: unknown): ImportProblem | null {
  if (error instanceof CsvFormatError) return { code: CSV_UNREADABLE.code, message: error.message };
  if (error instanceof AppError && error.type.failure === 'permanent') {
    return { code: error.code, message: error.message };
  }
  return null;
}

export function fileMissing(): AppError {
  return new AppError(FILE_MISSING, 'The uploaded file no longer exists; upload it again');
}

export function stuck(attempts: number): AppError {
  return new AppError(
    IMPORT_STUCK,
    `The import made no progress in ${attempts} attempts; the remaining rows were not imported`,
  );
}

export function notOpen(status: ImportStatus): AppError {
  return conflict(`This import is ${status}; only one that is pending or processing can be cancelled`);
}
