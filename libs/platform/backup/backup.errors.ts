/** A backup or restore cannot be done as asked. Its message says why and what helps. */
export class BackupRefusedError extends Error {
  override readonly name = 'BackupRefusedError';
}
