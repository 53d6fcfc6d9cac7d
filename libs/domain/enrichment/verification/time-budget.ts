/** The reason of a signal that ended because time ran out, and not because the caller gave up. */
export class TimeBudgetExceededError extends Error {
  override readonly name = 'TimeBudgetExceededError';
}

/**
 * Runs `work` with a signal that ends with the caller's, and after so many milliseconds with `TimeBudgetExceededError`. Joined by hand:
 * `AbortSignal.any` leaves a trace of each call in a signal that lives long.
 * @throws the signal's reason
 */
export async function withTimeBudget<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const own = new AbortController();
  const giveUp = (): void => own.abort(signal?.reason);
  const timer = setTimeout(() => own.abort(new TimeBudgetExceededError('Time ran out')), Math.max(0, ms));
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
