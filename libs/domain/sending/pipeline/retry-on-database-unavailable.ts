import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@platform/database';
import { mongo } from 'mongoose';

/** With the connection timeout of each try, some twenty seconds. A later outcome counts although the lease has expired. */
const TRIES = 8;
const PAUSE_MS = 1_000;

/**
 * Writes the reply of a mail server. Only this worker knows the reply, so a short outage of the database must not end
 * the attempt. `write` is guarded by the state that it leaves: a repetition of an unconfirmed write does nothing.
 * @throws the error of the last try, and at once any error that is not about reaching the database
 */
export async function retryOnDatabaseUnavailable<T>(write: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (!isAway(error) || tries === TRIES) throw error;
      await pause(PAUSE_MS);
    }
  }
}

/** The driver itself has already retried an error with a transaction label long enough. */
function isAway(error: unknown): boolean {
  const label = mongo.MongoErrorLabel.TransientTransactionError;
  return isDatabaseUnavailable(error) && !(error instanceof mongo.MongoError && error.hasErrorLabel(label));
}
