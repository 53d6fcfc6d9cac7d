/** A backup or restore is refused; the message gives the reason and the remedy. */
export class BackupRefusedError extends Error {
  override readonly name = 'BackupRefusedError';
}
