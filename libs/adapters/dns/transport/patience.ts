import { performance } from 'node:perf_hooks';

/** How long an exchange may take, and who may end it before. */
export interface Patience {
  /** Milliseconds. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

/** The time that is left for everything, by a clock that nobody sets. */
export class Deadline {
  readonly #endsAt: number;

  constructor(milliseconds: number) {
    this.#endsAt = performance.now() + milliseconds;
  }

  /** Whole milliseconds, as timers count; 0 when it is over. */
  get leftMs(): number {
    return Math.max(0, Math.floor(this.#endsAt - performance.now()));
  }
}
