import { type Timer } from '@platform/concurrency';

interface Due {
  readonly at: number;
  readonly call: () => void;
}

/** A timer whose time passes only by `advance` and while `until` waits, without real delay. */
export class VirtualTimer implements Timer {
  readonly #due = new Set<Due>();
  #nowMs: number;

  constructor(nowMs = 0) {
    this.#nowMs = nowMs;
  }

  /** The number of pending calls. */
  get waiting(): number {
    return this.#due.size;
  }

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

  /** Runs due calls in order of time. */
  advance(milliseconds: number): void {
    const until = this.#nowMs + milliseconds;
    for (let next = this.#next(); next && next.at <= until; next = this.#next()) this.#run(next);
    this.#nowMs = until;
  }

  #pass(): void {
    const next = this.#next();
    if (!next) return;
    this.#run(next);
    for (const due of [...this.#due].filter(({ at }) => at <= this.#nowMs)) this.#run(due);
  }

  #run(due: Due): void {
    this.#nowMs = Math.max(this.#nowMs, due.at);
    this.#due.delete(due);
    due.call();
  }

  #next(): Due | undefined {
    const [first, ...others] = this.#due;
    return others.reduce((soonest, due) => (soonest && due.at < soonest.at ? due : soonest), first);
  }
}
