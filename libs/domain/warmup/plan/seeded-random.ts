import { hash } from 'node:crypto';

const BITS_32 = 2 ** 32;

/** Returns the next number from 0 to less than 1. */
export type Draw = () => number;

/**
 * Creates a deterministic generator of evenly distributed numbers from its parts, so that a repeated plan is equal. The generator
 * is sfc32, seeded with SHA-256.
 */
export function getDraws(...parts: readonly (string | number)[]): Draw {
  // Includes the lengths, so that ('a', 'bc') and ('ab', 'c') differ.
  const digest = hash('sha256', parts.map((part) => `${String(part).length}:${part}`).join(''), 'buffer');
  let [a, b, c, count] = [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8), digest.readInt32LE(12)];
  return () => {
    const sum = (a + b + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / BITS_32;
  };
}

/** Returns a shuffled copy. */
export function shuffled<T>(all: readonly T[], draw: Draw): T[] {
  const mixed = [...all];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(draw() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other] as T, mixed[last] as T];
  }
  return mixed;
}
