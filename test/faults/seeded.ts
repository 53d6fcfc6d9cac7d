import { randomBytes } from 'node:crypto';

/** Printed in the names of the tests that depend on it; `FAULTS_SEED=<seed>` replays a run. */
export const SEED = process.env['FAULTS_SEED'] ?? randomBytes(3).toString('hex');

/** A pseudo-random sequence (mulberry32): the same seed gives the same choices. */
export class Chance {
  #state: number;

  constructor(seed: string) {
    this.#state = 2_166_136_261;
    for (let at = 0; at < seed.length; at += 1) {
      this.#state = Math.imul(this.#state ^ seed.charCodeAt(at), 16_777_619);
    }
  }

  /** From 0 to less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 to less than `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)]!;
  }

  shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((one) => ({ one, place: this.next() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ one }) => one);
  }
}

/** Prints the result of a run. */
export function tell(seed: string, figures: Readonly<Record<string, unknown>>): void {
  const text = Object.entries(figures).map(([name, count]) => `${name} ${String(count)}`);
  process.stderr.write(`seed ${seed}: ${text.join(', ')}\n`);
}
