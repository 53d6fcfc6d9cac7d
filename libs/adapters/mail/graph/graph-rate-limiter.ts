import { setTimeout as sleep } from 'node:timers/promises';

/** A replaceable clock, so that tests do not wait. */
export interface GraphTime {
  /** Milliseconds of the epoch. */
  now(): number;
  /** Rejects when the signal is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const realTime: GraphTime = {
  now: () => Date.now(),
  wait: async (ms, signal) => {
    await sleep(ms, undefined, signal ? { signal } : {});
  },
};

interface Waiter {
  readonly enter: () => void;
}

/**
 * Limits concurrent requests to one mailbox, first come first served, and holds the end of throttling by the vendor: each request
 * during throttling extends it.
 */
export class GraphRateLimiter {
  readonly #waiting: Waiter[] = [];
  #inside = 0;
  #blockedUntil = 0;

  constructor(
    private readonly places: number,
    private readonly time: GraphTime,
  ) {}

  /**
   * Waits for a slot.
   * @returns a function that releases the slot; repeated calls have no effect
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#inside < this.places) this.#inside += 1;
    else await this.#queue(signal);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave();
    };
  }

  /** Blocks requests for the time that the vendor demands. */
  block(ms: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, this.time.now() + ms);
  }

  /** Milliseconds until requests are allowed, 0 without throttling. */
  get blockedMs(): number {
    return Math.max(0, this.#blockedUntil - this.time.now());
  }

  #queue(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      const at = this.#waiting.indexOf(waiter);
      if (at >= 0) this.#waiting.splice(at, 1);
      reject(signal.reason as Error);
    };
    const waiter: Waiter = {
      enter: () => {
        signal.removeEventListener('abort', abort);
        resolve();
      },
    };
    this.#waiting.push(waiter);
    signal.addEventListener('abort', abort, { once: true });
    return promise;
  }

  #leave(): void {
    const next = this.#waiting.shift();
    // The slot goes directly to the next waiter, so that no later caller gets it first.
    if (next) next.enter();
    else this.#inside -= 1;
  }
}
