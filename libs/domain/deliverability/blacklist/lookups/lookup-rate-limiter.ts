/** Time for whoever paces: monotonic milliseconds, and a call after some of them. */
export interface RateLimiterTimer {
  now(): number;
  /** @returns takes the call back */
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
  /** Questions that one zone has to answer at one time. */
  readonly inFlightPerZone: number;
  /** Least milliseconds between two questions to one zone. */
  readonly gapMs: number;
  /** Questions at one time, to all zones. */
  readonly inFlight: number;
}

interface Waiting {
  start(): void;
}

interface ZoneQueue {
  inFlight: number;
  /** When the next question may go out. */
  openAt: number;
  readonly waiting: Set<Waiting>;
}

/**
 * Lets questions to zones through one by one: a few at a time for each zone, with a gap between them, and not too many at all. One for
 * the whole process, whoever asks for whatever. Lanes take turns: a slow zone keeps no other from its questions.
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
   * Does the work when it is its turn.
   * @param lane names the zone
   * @param signal gives up the place in the queue; work that has begun goes on, and may listen to the signal itself
   * @throws the signal's reason, or what the work throws
   */
  async run<T>(lane: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const taken = this.#getZone(lane);
    await this.#waitForSlot(taken, signal);
    try {
      return await work();
    } finally {
      taken.inFlight -= 1;
      this.#inFlight -= 1;
      this.#pump();
    }
  }

  #waitForSlot(lane: ZoneQueue, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        lane.waiting.delete(waiting);
        reject(signal.reason as Error);
      };
      const waiting: Waiting = {
        start: () => {
          signal.removeEventListener('abort', giveUp);
          resolve();
        },
      };
      signal.addEventListener('abort', giveUp, { once: true });
      lane.waiting.add(waiting);
      this.#pump();
    });
  }

  /** Starts what may start now, one of each lane at a time, and sees to it that it is looked again when the next one may. */
  #pump(): void {
    const now = this.timer.now();
    let nextAt = Infinity;
    // As they stand now: what is started goes to the end of the line.
    const lanes = [...this.#zones];
    for (const [name, lane] of lanes) {
      const [first] = lane.waiting;
      if (!first || lane.inFlight >= this.limits.inFlightPerZone) continue;
      if (lane.openAt > now) nextAt = Math.min(nextAt, lane.openAt);
      else if (this.#inFlight < this.limits.inFlight) {
        this.#start(name, lane, first, now);
        if (lane.waiting.size > 0 && lane.inFlight < this.limits.inFlightPerZone)
          nextAt = Math.min(nextAt, lane.openAt);
      }
    }
    if (nextAt < Infinity) this.#schedulePump(nextAt, now);
  }

  #start(name: string, lane: ZoneQueue, first: Waiting, now: number): void {
    lane.waiting.delete(first);
    lane.inFlight += 1;
    lane.openAt = now + this.limits.gapMs;
    this.#inFlight += 1;
    // To the end of the line: all other lanes come first the next time.
    this.#zones.delete(name);
    this.#zones.set(name, lane);
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
