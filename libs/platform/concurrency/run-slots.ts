interface WaitingRun {
  readonly owner: string;
  readonly start: () => void;
}

/**
 * Slots for runs of several owners. A free slot goes to the owner with the fewest runs; among equals to the run that waits
 * longest.
 */
export class RunSlots {
  readonly #running = new Map<string, number>();
  readonly #waiting: WaitingRun[] = [];
  #count = 0;

  /** @param allowed the current number of slots, read at each start */
  constructor(private readonly allowed: () => number) {}

  /**
   * Runs the work when a slot is free.
   * @throws the reason of `signal`, when it aborts before the start
   */
  async run<T>(owner: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#waitForSlot(owner, signal);
    try {
      return await work();
    } finally {
      this.#change(owner, -1);
      this.#startNext();
    }
  }

  async #waitForSlot(owner: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const started = Promise.withResolvers<void>();
    const run: WaitingRun = { owner, start: started.resolve };
    const leave = (): void => {
      const at = this.#waiting.indexOf(run);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      started.reject(signal.reason);
    };
    this.#waiting.push(run);
    signal.addEventListener('abort', leave, { once: true });
    this.#startNext();
    try {
      await started.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #startNext(): void {
    while (this.#count < this.allowed() && this.#waiting.length > 0) {
      let next = 0;
      this.#waiting.forEach(({ owner }, at) => {
        if (this.#runsOf(owner) < this.#runsOf(this.#waiting[next]?.owner ?? owner)) next = at;
      });
      const [run] = this.#waiting.splice(next, 1);
      if (!run) return;
      this.#change(run.owner, 1);
      run.start();
    }
  }

  #runsOf(owner: string): number {
    return this.#running.get(owner) ?? 0;
  }

  #change(owner: string, by: 1 | -1): void {
    this.#count += by;
    const runs = this.#runsOf(owner) + by;
    if (runs === 0) this.#running.delete(owner);
    else this.#running.set(owner, runs);
  }
}
