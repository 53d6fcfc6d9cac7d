import { performance } from 'node:perf_hooks';

/** The timeout of a query and the signal that aborts it. */
export interface QueryTimeout {
  /** Milliseconds. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

/** The remaining time of a whole exchange. */
export interface TimeLeft {
  /** Whole milliseconds for timers; 0 after the deadline. */
  readonly leftMs: number;
}

/** A deadline on a monotonic clock. */
export class Deadline implements TimeLeft {
  readonly #endsAt: number;

  constructor(milliseconds: number) {
    this.#endsAt = performance.now() + milliseconds;
  }

  get leftMs(): number {
    return Math.max(0, Math.floor(this.#endsAt - performance.now()));
  }
}
