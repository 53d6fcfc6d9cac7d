import { performance } from 'node:perf_hooks';

/** How long an exchange may take, and who may end it before. */
export interface QueryTimeout {
  /** Milliseconds. */
  readonly withinMs: number;
  readonly signal: AbortSignal;
}

/** The time that is left for everything. */
export interface TimeLeft {
  /** Whole milliseconds, as timers count; 0 when it is over. */
  readonly leftMs: number;
}

/** Counted by a clock that nobody sets. */
export class Deadline implements TimeLeft {
  readonly #endsAt: number;

  constructor(milliseconds: number) {
    this.#endsAt = performance.now() + milliseconds;
  }

  get leftMs(): number {
    return Math.max(0, Math.floor(this.#endsAt - performance.now()));
  }
}
