/** Another worker has relayed a part of the batch. */
export class EventBatchSupersededError extends Error {
  override readonly name = 'EventBatchSupersededError';

  constructor() {
    super('Another worker relays the same events');
  }
}

/** The transaction of a batch conflicted each time. */
export class EventBatchConflictError extends Error {
  override readonly name = 'EventBatchConflictError';

  constructor() {
    super('The subscribers conflict with concurrent changes');
  }
}
