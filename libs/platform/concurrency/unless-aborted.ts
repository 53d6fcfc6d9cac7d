/**
 * Returns the result of `work` unless `signal` is aborted first; `work` itself continues.
 * @throws the signal's reason
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** A mutex, or a semaphore with one slot a caller. */
interface Lock {
  acquire(): Promise<() => void>;
}

/**
 * Waits for the lock, and returns the function that releases it. An aborted caller leaves the queue.
 * @throws the signal's reason
 */
export async function acquireUnlessAborted(lock: Lock, signal: AbortSignal | undefined): Promise<() => void> {
  signal?.throwIfAborted();
  const acquiring = lock.acquire();
  try {
    return await unlessAborted(acquiring, signal);
  } catch (error) {
    void acquiring.then((release) => release());
    throw error;
  }
}
