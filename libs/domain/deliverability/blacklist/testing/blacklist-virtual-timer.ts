import { type RateLimiterTimer } from '../lookups/lookup-rate-limiter';

interface Due {
  readonly at: number;
  readonly call: () => void;
}

/** A timer whose time passes only while `until` waits, and then without real delay. */
export class BlacklistVirtualTimer implements RateLimiterTimer {
  #nowMs = 0;
  readonly #due = new Set<Due>();

  now(): number {
    return this.#nowMs;
  }

  after(milliseconds: number, call: () => void): () => void {
    const due = { at: this.#nowMs + Math.max(0, milliseconds), call };
    this.#due.add(due);
    return () => this.#due.delete(due);
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.after(milliseconds, resolve));
  }

  /** Advances the clock until the promise is settled: whenever no other work is pending, to the next due time. */
  async until<T>(promise: Promise<T>): Promise<T> {
    const state = { settled: false };
    const noted = promise.finally(() => (state.settled = true));
    noted.catch(() => undefined);
    while (!state.settled) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!state.settled) this.#pass();
    }
    return noted;
  }

  #pass(): void {
    const [first, ...others] = this.#due;
    if (!first) return;
    const next = others.reduce((soonest, due) => (due.at < soonest.at ? due : soonest), first);
    this.#nowMs = Math.max(this.#nowMs, next.at);
    for (const due of [...this.#due].filter(({ at }) => at <= this.#nowMs)) {
      this.#due.delete(due);
      due.call();
    }
  }
}
