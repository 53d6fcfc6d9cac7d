/** A backup or restore is refused; the message gives the reason and the remedy. */
export class BackupRefusedError extends Error {
  override readonly name = 'BackupRefusedError';
}

/** The file is not a complete backup; the message gives the reason. */
export class BackupFileError extends Error {
  override readonly name = 'BackupFileError';
}
