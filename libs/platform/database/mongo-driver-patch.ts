import { type EventEmitter } from 'node:events';
import { createRequire } from 'node:module';

/** The part of the driver's connection that this file uses. */
export interface DriverConnection extends EventEmitter {
  /** Reason of the close, set before `close` is emitted; null until then. */
  error: Error | null;
  writeCommand(command: unknown, options: unknown): Promise<void>;
}

export type DriverConnectionClass = new (socket: unknown, options: object) => DriverConnection;

const FILE = 'mongodb/lib/cmap/connection';

/** The connection class of the driver that Mongoose uses; not part of the driver's public API. */
export function driverConnection(): DriverConnectionClass {
  const driver = createRequire(require.resolve('mongoose'));
  return (driver(FILE) as { Connection: DriverConnectionClass }).Connection;
}

/**
 * Makes each write of the MongoDB driver end when its connection does.
 *
 * `Connection.prototype.writeCommand` in mongodb/lib/cmap/connection.js (7.8.0, used by Mongoose 9.12) writes a command to the
 * socket and, when the socket's buffer is full, waits for `drain` or `error`. A destroyed socket also reports a full buffer but
 * emits neither event, so the write never ends; the `close` handler of the connection ends reads only. If the write belongs to
 * the monitor, it never checks that server again, and the process answers 503 until its restart. About one in a hundred
 * interruptions of all connections had this effect.
 *
 * mongo-driver-patch.spec.ts fails as soon as the driver ends such a write itself: then this file can be deleted.
 *
 * @throws Error when the method has moved, so that a new version of the driver is noticed at once
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
    // Already closed: `close` is not emitted again.
    if (this.error) throw this.error;
    const closed = Promise.withResolvers<never>();
    const onClose = () => closed.reject(this.error);
    this.once('close', onClose);
    try {
      // The race handles both rejections, so that neither is unhandled.
      await Promise.race([original.call(this, command, options), closed.promise]);
    } finally {
      this.off('close', onClose);
    }
  };
}
