/**
 * Returns the result of `work` unless `signal` is aborted first; `work` itself continues.
 * @throws the signal's reason
 */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  // Not a race of promises: that would prefer work which is already done when the signal is aborted.
  work.then(resolve, reject);
  try {
    return await promise;
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
