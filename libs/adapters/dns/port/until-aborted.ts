/** Waits for a promise or for the signal's reason, whichever comes first. The awaited work continues regardless. */
export function unlessAborted<T>(waiting: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return waiting;
  return new Promise<T>((resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    const give = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', give, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener('abort', give));
  });
}
