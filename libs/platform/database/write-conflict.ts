import { mongo } from 'mongoose';
import { isDuplicateKey } from './database.errors';

/**
 * Makes the driver rerun a transaction that lost a race for a unique key. A duplicate key aborts the whole transaction, and the
 * driver reruns it only for errors with the label. Use it only for a key that the second run finds: otherwise it repeats
 * without end.
 */
export async function rerunOnWriteConflict<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isDuplicateKey(error)) markForRerun(error as mongo.MongoError);
    throw error;
  }
}

/** The error of an update whose record has changed since it was read; the driver reruns the transaction. */
export function writeConflict(what: string): mongo.MongoError {
  const error = new mongo.MongoError(`${what} was changed concurrently`);
  markForRerun(error);
  return error;
}

function markForRerun(error: mongo.MongoError): void {
  error.addErrorLabel(mongo.MongoErrorLabel.TransientTransactionError);
}
