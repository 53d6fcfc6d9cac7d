/** The job is over, or another worker has continued it: nothing was written. */
export class SyncSupersededError extends Error {
  constructor() {
    super('The sync job has changed since it was read');
  }
}
