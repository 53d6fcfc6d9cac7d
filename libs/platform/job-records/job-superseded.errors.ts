/** The job was cancelled, or another worker continues it: nothing more is written. */
export class JobSupersededError extends Error {
  override readonly name = 'JobSupersededError';
}
