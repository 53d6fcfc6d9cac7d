/** Timer of the rate limiter: monotonic milliseconds and delayed calls. */
export interface RateLimiterTimer {
  now(): number;
  /** @returns a function that cancels the call */
  after(milliseconds: number, call: () => void): () => void;
}

const SYSTEM_TIMER: RateLimiterTimer = {
  now: () => performance.now(),
  after: (milliseconds, call) => {
    const timer = setTimeout(call, milliseconds);
    return () => clearTimeout(timer);
  },
};

export interface RateLimits {
  /** Concurrent queries to one zone. */
  readonly inFlightPerZone: number;
  /** Least milliseconds between two queries to one zone. */
  readonly gapMs: number;
  /** Concurrent queries to all zones. */
  readonly inFlight: number;
}

interface Waiting {
  start(): void;
}

interface ZoneQueue {
  inFlight: number;
  /** Earliest time of the next query. */
  openAt: number;
  readonly waiting: Set<Waiting>;
}

/**
 * Limits DNS queries per zone and in all, for the whole process. Zones are served in rotation, so that a slow zone does not delay
 * the others.
 */
export class LookupRateLimiter {
  readonly #zones = new Map<string, ZoneQueue>();
  #inFlight = 0;
  #timeout: { at: number; cancel: () => void } | undefined;

  constructor(
    private readonly limits: RateLimits,
    private readonly timer: RateLimiterTimer = SYSTEM_TIMER,
  ) {}

  /**
   * Runs the work as soon as the limits allow.
   * @param zone name of the zone
   * @param signal leaves the queue; started work continues unless it observes the signal
   * @throws the signal's reason, or the error of the work
   */
  async run<T>(zone: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const taken = this.#getZone(zone);
    await this.#waitForSlot(taken, signal);
    try {
      return await work();
    } finally {
      taken.inFlight -= 1;
      this.#inFlight -= 1;
      this.#pump();
    }
  }

  #waitForSlot(queue: ZoneQueue, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        queue.waiting.delete(waiting);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        start: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      queue.waiting.add(waiting);
      this.#pump();
    });
  }

  /** Starts waiting work that the limits allow, one item per zone, and schedules the next call. */
  #pump(): void {
    const now = this.timer.now();
    let nextAt = Infinity;
    // A copy: a served zone moves to the end.
    const zones = [...this.#zones];
    for (const [name, queue] of zones) {
      const [first] = queue.waiting;
      if (!first || queue.inFlight >= this.limits.inFlightPerZone) continue;
      if (queue.openAt > now) nextAt = Math.min(nextAt, queue.openAt);
      else if (this.#inFlight < this.limits.inFlight) {
        this.#start(name, queue, first, now);
        if (queue.waiting.size > 0 && queue.inFlight < this.limits.inFlightPerZone)
          nextAt = Math.min(nextAt, queue.openAt);
      }
    }
    if (nextAt < Infinity) this.#schedulePump(nextAt, now);
  }

  #start(name: string, queue: ZoneQueue, first: Waiting, now: number): void {
    queue.waiting.delete(first);
    queue.inFlight += 1;
    queue.openAt = now + this.limits.gapMs;
    this.#inFlight += 1;
    // Moves the zone to the end, so that all others come first.
    this.#zones.delete(name);
    this.#zones.set(name, queue);
    first.start();
  }

  #schedulePump(at: number, now: number): void {
    if (this.#timeout && this.#timeout.at <= at) return;
    this.#timeout?.cancel();
    const cancel = this.timer.after(at - now, () => {
      this.#timeout = undefined;
      this.#pump();
    });
    this.#timeout = { at, cancel };
  }

  #getZone(name: string): ZoneQueue {
    const known = this.#zones.get(name) ?? { inFlight: 0, openAt: 0, waiting: new Set() };
    this.#zones.set(name, known);
    return known;
  }
}
