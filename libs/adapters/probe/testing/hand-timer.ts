import { type ProbeTimer } from '../smtp/probe-timer';

/** A timer that tests advance. */
export class HandTimer implements ProbeTimer {
  #now = Date.parse('2026-03-02T09:00:00Z');
  readonly #calls = new Set<{ readonly at: number; readonly call: () => void }>();

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, call: () => void): () => void {
    const entry = { at: this.#now + milliseconds, call };
    this.#calls.add(entry);
    return () => this.#calls.delete(entry);
  }

  /** Runs due calls in order of time. */
  advance(milliseconds: number): void {
    const until = this.#now + milliseconds;
    for (;;) {
      const [next] = [...this.#calls].filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at);
      if (!next) break;
      this.#calls.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.call();
    }
    this.#now = until;
  }

  /** The number of pending calls. */
  get waiting(): number {
    return this.#calls.size;
  }

  /** The time so many milliseconds from now. */
  in(milliseconds: number): Date {
    return new Date(this.#now + milliseconds);
  }
}
