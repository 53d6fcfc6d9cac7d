import { mongo } from 'mongoose';
import { isDuplicateKey } from './database.errors';

/**
 * Makes a lost race run again. A duplicate key aborts the whole transaction, the caller's own if there is one, and the
 * driver re-runs a transaction only for errors with the label. Only for a key that the second run is sure to see taken:
 * otherwise it would run again and again.
 */
export async function rerunOnWriteConflict<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicateKey(error)) markForRerun(error as mongo.MongoError);
    throw error;
  }
}

/** An update that should have met the state just read did not: somebody else was there in between. */
export function writeConflict(what: string): mongo.MongoError {
  const error = new mongo.MongoError(`${what} was changed by somebody else in the meantime`);
  markForRerun(error);
  return error;
}

function markForRerun(error: mongo.MongoError): void {
  error.addErrorLabel(mongo.MongoErrorLabel.TransientTransactionError);
}
