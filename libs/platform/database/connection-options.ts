import { setMaxListeners } from 'node:events';
import { type ConnectOptions } from 'mongoose';

/** Milliseconds that a request may wait for a server before it fails with 503. */
const SERVER_SELECTION_MS = 1_500;

/** Requests that arrive within this time of each other share a deadline (milliseconds). */
const SHARED_MS = 250;

let shared = { signal: new AbortController().signal, until: 0 };

/**
 * Options for the first read of a request: a server that accepts connections but does not answer is detected as fast as one
 * that is unreachable. (The driver's own `timeoutMS` waits for its monitor, 5 s.) A timer per request would cost more than the
 * read's own bookkeeping, so requests that arrive together share one.
 */
export function firstReadOptions(): { signal: AbortSignal } {
  const now = performance.now();
  if (now >= shared.until) {
    shared = { signal: AbortSignal.timeout(SERVER_SELECTION_MS + SHARED_MS), until: now + SHARED_MS };
    setMaxListeners(0, shared.signal);
  }
  return { signal: shared.signal };
}

/**
 * Durable writes (majority, journaled by the replica set's default), one retry by the driver, and a short wait when no
 * server answers, so that a request fails within two seconds.
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
