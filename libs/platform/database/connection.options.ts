import { type ConnectOptions } from 'mongoose';

/** How long a request may wait for a server before it is answered with 503 (milliseconds). */
const SERVER_SELECTION_MS = 1_500;

/**
 * Options for the first read of a request: a server that accepts connections but no longer answers is found out in the
 * time in which a client is told of one that is gone. (The driver's own `timeoutMS` waits for its monitor, 5 s.)
 */
export function firstReadOptions(): { signal: AbortSignal } {
  return { signal: AbortSignal.timeout(SERVER_SELECTION_MS) };
}

/**
 * Durable writes (majority, journaled by the replica set's default), one retry by the driver, and a short wait when no
 * server answers: a client is told within two seconds rather than kept waiting.
 */
export function connectionOptions(appName: string): ConnectOptions {
  return {
    appName,
    serverSelectionTimeoutMS: SERVER_SELECTION_MS,
    connectTimeoutMS: SERVER_SELECTION_MS,
    heartbeatFrequencyMS: 2_000,
    retryWrites: true,
    writeConcern: { w: 'majority' },
    maxPoolSize: 50,
    waitQueueTimeoutMS: SERVER_SELECTION_MS,
    bufferCommands: false,
    autoIndex: false,
    autoCreate: false,
  };
}
