/** Calls whose median decides. */
const SAMPLES = 20;
const SLOW_MS = 500;
const FAST_MS = 100;
const LEAST = 2;
const SHRINK_EVERY_MS = 5_000;
const GROW_EVERY_MS = 1_000;

/**
 * How many runs may work at a time: half as many while the database is slow, one more per second while it is fast. So overload
 * makes work slower and does not lock it up.
 */
export class AdaptiveLimit {
  #allowed: number;
  readonly #durations: number[] = [];
  #shrankAt = -Infinity;
  #grewAt = -Infinity;

  /** @param most the limit while the database is fast, and at the start */
  constructor(private readonly most: number) {
    this.#allowed = most;
  }

  get allowed(): number {
    return this.#allowed;
  }

  /**
   * Records a call of the database.
   * @param nowMs by a monotonic clock
   */
  record(durationMs: number, nowMs: number): void {
    this.#durations.push(durationMs);
    if (this.#durations.length > SAMPLES) this.#durations.shift();
    if (this.#durations.length < SAMPLES) return;
    const median = this.#durations.toSorted((a, b) => a - b)[SAMPLES / 2] ?? 0;
    if (median > SLOW_MS) this.#shrink(nowMs);
    else if (median < FAST_MS) this.#grow(nowMs);
  }

  #shrink(nowMs: number): void {
    if (nowMs - this.#shrankAt < SHRINK_EVERY_MS) return;
    this.#shrankAt = nowMs;
    this.#durations.length = 0; // the calls under the old limit say nothing about the new one
    this.#allowed = Math.max(Math.min(LEAST, this.most), Math.floor(this.#allowed / 2));
  }

  #grow(nowMs: number): void {
    if (nowMs - this.#grewAt < GROW_EVERY_MS) return;
    this.#grewAt = nowMs;
    this.#allowed = Math.min(this.most, this.#allowed + 1);
  }
}
