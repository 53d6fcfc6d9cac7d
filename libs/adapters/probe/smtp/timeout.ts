import { ProbeFailureError } from './probe-failure.errors';
import { type Timer } from '@platform/concurrency';

/** The time limits of one probe. */
export interface StepTimeout {
  readonly timer: Timer;
  /** Timeout of a whole step in milliseconds, even if a reply arrives slowly. */
  readonly stepMs: number;
  /** Milliseconds of the timer. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Waits for the result or failure of `begin`.
 * @param doing description for the timeout message: `the greeting`
 * @throws ProbeFailure `timeout`, or the signal's reason
 */
export function withStepTimeout<T>(
  { timer, stepMs, deadline, signal }: StepTimeout,
  doing: string,
  begin: (give: (value: T) => void, fail: (reason: Error) => void) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const over = (): void => {
      cancel();
      signal?.removeEventListener('abort', stop);
    };
    const fail = (reason: Error): void => {
      over();
      reject(reason);
    };
    const stop = (): void => fail(signal?.reason as Error);
    const leftMs = Math.max(0, Math.min(stepMs, deadline - timer.now()));
    const cancel = timer.after(leftMs, () => fail(new ProbeFailureError('timeout', `${doing} did not come in time`)));
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted === true) return stop();
    begin((value) => {
      over();
      resolve(value);
    }, fail);
  });
}
