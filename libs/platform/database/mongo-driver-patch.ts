import { type EventEmitter } from 'node:events';
import { createRequire } from 'node:module';

/** As far as this file reaches into the driver. */
export interface DriverConnection extends EventEmitter {
  /** Why the connection is closed; set before `close` is emitted, null until then. */
  error: Error | null;
  writeCommand(command: unknown, options: unknown): Promise<void>;
}

export type DriverConnectionClass = new (socket: unknown, options: object) => DriverConnection;

const FILE = 'mongodb/lib/cmap/connection';

/** The class of each connection of the driver that Mongoose uses. It is not part of the driver's public face. */
export function driverConnection(): DriverConnectionClass {
  const driver = createRequire(require.resolve('mongoose'));
  return (driver(FILE) as { Connection: DriverConnectionClass }).Connection;
}

/**
 * Makes each write of the MongoDB driver end when its connection does.
 *
 * `Connection.prototype.writeCommand` in mongodb/lib/cmap/connection.js (7.8.0, the one of Mongoose 9.12) hands a command
 * to the socket and, when the socket's buffer is full, waits for `drain` or `error`. A socket that was just destroyed also
 * says "full", and then emits neither: the write waits for ever. What the connection does on `close` ends reads only.
 * When the write was the monitor's own, it never looks at that server again, and the process answers 503 until it is
 * started anew; about one cut of all connections in a hundred did that.
 *
 * mongo-driver-patch.spec.ts goes red as soon as the driver itself ends such a write: then this file can go.
 *
 * @throws Error when the method is not where it is expected, so that a new version of the driver is noticed at once
 */
export function endWritesWithTheirConnection(connection: DriverConnectionClass): void {
  const prototype = connection?.prototype as DriverConnection | undefined;
  const original = prototype?.writeCommand;
  if (!prototype || typeof original !== 'function' || typeof prototype.once !== 'function') {
    throw new Error(
      `${FILE} of the MongoDB driver has no Connection.writeCommand any more: review mongo-driver-patch.ts`,
    );
  }
  prototype.writeCommand = async function (command, options) {
    // Closed already: `close` will not be emitted once more.
    if (this.error) throw this.error;
    const closed = Promise.withResolvers<never>();
    const onClose = () => closed.reject(this.error);
    this.once('close', onClose);
    try {
      // The race listens to both until the end, so that neither rejection is ever unhandled.
      await Promise.race([original.call(this, command, options), closed.promise]);
    } finally {
      this.off('close', onClose);
    }
  };
}
