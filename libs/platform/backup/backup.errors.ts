/** A backup or restore cannot be done as asked. Its message says why and what helps. */
export class BackupRefusal extends Error {
  override readonly name = 'BackupRefusal';
}
