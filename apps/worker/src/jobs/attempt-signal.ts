export interface AttemptSignal {
  readonly signal: AbortSignal;
  /** Releases the timer and the listener. */
  readonly done: () => void;
}

/**
 * Aborts when the time of the attempt is over or `stopping` aborts. `AbortSignal.any` would leave a reference for each
 * job in a signal that lives for weeks.
 */
export function createAttemptSignal(timeoutMs: number, stopping: AbortSignal): AttemptSignal {
  const attempt = new AbortController();
  const stop = (): void => attempt.abort(stopping.reason);
  const timer = setTimeout(
    () => attempt.abort(new DOMException('The attempt took too long', 'TimeoutError')),
    timeoutMs,
  );
  stopping.addEventListener('abort', stop, { once: true });
  if (stopping.aborted) stop();
  return {
    signal: attempt.signal,
    done: () => {
      clearTimeout(timer);
      stopping.removeEventListener('abort', stop);
    },
  };
}
