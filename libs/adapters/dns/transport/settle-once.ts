import { type QueryTimeout } from './deadline';

/**
 * A promise around a socket: it settles once, at the latest at the timeout, and the socket is closed by then.
 * @param onTimeout the value at the timeout
 * @param open starts the exchange and returns a function that closes it; later events are ignored
 * @throws the signal's reason
 */
export function settleOnce<T>(
  { withinMs, signal }: QueryTimeout,
  onTimeout: () => T,
  open: (resolve: (value: T) => void) => () => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    signal.throwIfAborted();
    let settled = false;
    const settle = (act: () => void): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      signal.removeEventListener('abort', give);
      close();
      act();
    };
    const give = (): void => settle(() => reject(signal.reason as Error));
    const close = open((value) => settle(() => resolve(value)));
    const timer = setTimeout(() => settle(() => resolve(onTimeout())), withinMs);
    signal.addEventListener('abort', give, { once: true });
  });
}
