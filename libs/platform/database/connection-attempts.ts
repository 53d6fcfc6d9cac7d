import { setTimeout } from 'node:timers/promises';
import { BootError } from '@platform/lifecycle';
import { type LogService } from '@platform/observability';
import { type Connection, type ConnectOptions } from 'mongoose';

/** How patient a process is at its start. */
export interface Attempts {
  count: number;
  pauseMs: number;
}

/**
 * Waits until MongoDB answers a connection whose opening has begun, and opens it again while it does not. Each failure is
 * logged at once: the framework's own words about it are held back until the start has succeeded.
 * @param options what to open it with; made anew for each attempt, because Mongoose changes them
 * @throws BootError with the last attempt's reason, after `attempts.count`
 */
export async function waitForConnection(
  connection: Connection,
  [uri, options]: [string, () => ConnectOptions],
  log: LogService,
  attempts: Attempts = { count: 30, pauseMs: 1_000 },
): Promise<Connection> {
  let opening = connection.asPromise();
  for (let attempt = 1; ; attempt++) {
    try {
      return await opening;
    } catch (error) {
      // The reason names hosts at most; the URI, which holds the password, is in no message of the driver.
      const reason = error instanceof Error ? error.message : String(error);
      log.warn('MongoDB cannot be reached at the start', { attempt, of: attempts.count, reason });
      if (attempt >= attempts.count) throw new BootError(`MongoDB cannot be reached: ${reason}`, { cause: error });
      await setTimeout(attempts.pauseMs);
      opening = connection.openUri(uri, options());
    }
  }
}
