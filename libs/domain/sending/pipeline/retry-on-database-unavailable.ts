import { setTimeout as pause } from 'node:timers/promises';
import { isDatabaseUnavailable } from '@platform/database';
import { mongo } from 'mongoose';

/** Together with what each try waits for a server, some twenty seconds: a third of a lease. */
const TRIES = 8;
const PAUSE_MS = 1_000;

/**
 * Writes what a mail server has answered. Nobody but this worker knows the answer, so a database that is away for a moment
 * does not end the attempt. `write` is guarded by the state that it leaves: carried out and not confirmed, it does nothing again.
 * @throws what the last try has thrown, and at once what is not about reaching the database
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

/** What a transaction is run again for by itself was tried for long enough already. */
function isAway(error: unknown): boolean {
  const label = mongo.MongoErrorLabel.TransientTransactionError;
  return isDatabaseUnavailable(error) && !(error instanceof mongo.MongoError && error.hasErrorLabel(label));
}
