/** From some offset on, the records of the file cannot be separated. */
export class CsvFormatError extends Error {
  override readonly name = 'CsvFormatError';
}

/** The columns are not usable; the message says why. */
export class ImportColumnError extends Error {
  override readonly name = 'ImportColumnError';
}

/** The file cannot be imported; the message says why. */
export class ImportHeaderError extends Error {
  override readonly name = 'ImportHeaderError';
}

/** The file is not readable text; the message names its probable type. */
export class UnreadableUploadError extends Error {
  override readonly name = 'UnreadableUploadError';
}
