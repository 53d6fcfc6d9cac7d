import { setTimeout } from 'node:timers/promises';
import { BootError } from '@platform/lifecycle';
import { type LogService } from '@platform/observability';
import { type Connection, type ConnectOptions } from 'mongoose';

/** How often and at what interval a process tries to connect at its start. */
export interface Attempts {
  count: number;
  pauseMs: number;
}

/**
 * Waits until a connection that is being opened succeeds, and reopens it after each failure. Each failure is logged at once,
 * because the framework buffers its own messages until the start has succeeded.
 * @param options creates the options of each attempt, because Mongoose modifies them
 * @throws BootError with the reason of the last attempt, after `attempts.count` attempts
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
      // No message of the driver contains the URI with its password; it names hosts at most.
      const reason = error instanceof Error ? error.message : String(error);
      log.warn('MongoDB cannot be reached at the start', { attempt, of: attempts.count, reason });
      if (attempt >= attempts.count) throw new BootError(`MongoDB cannot be reached: ${reason}`, { cause: error });
      await setTimeout(attempts.pauseMs);
      opening = connection.openUri(uri, options());
    }
  }
}
