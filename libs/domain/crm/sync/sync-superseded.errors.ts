/** The job is over, or somebody else has got on with it: nothing was written. */
export class SyncSupersededError extends Error {
  constructor() {
    super('The sync is not as it was read');
  }
}
