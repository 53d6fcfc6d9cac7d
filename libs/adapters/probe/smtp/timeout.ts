import { ProbeFailureError } from './probe-failure.errors';
import { type ProbeTimer } from './probe-timer';

/** For how long one question is waited for. */
export interface StepTimeout {
  readonly timer: ProbeTimer;
  /** Milliseconds for one step as a whole: however slowly an answer drips, it gets no more. */
  readonly stepMs: number;
  /** Milliseconds of the timer. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Waits for what `begin` gives or fails with.
 * @param doing for the person who reads why it took too long: `the greeting`
 * @throws ProbeFailure `timeout`, or the signal's reason
 */
export function withTimeout<T>(
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
