import { TimeBudgetExceededError } from './time-budget.errors';

/**
 * Runs `work` with a signal that ends with the caller's signal, or after `ms` milliseconds with
 * `TimeBudgetExceededError`. `AbortSignal.any` is avoided: it leaks memory in a long-lived signal.
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
