import { hash } from 'node:crypto';

/** Maximum extension of an interval, as a fraction. */
const JITTER = 0.2;
const BITS_48 = 2 ** 48;

/**
 * Returns a number from 0 to less than 1 that the parts determine, evenly distributed. Ids as parts give each object a
 * repeatable random number. The engine, a simulation and a retry get the same one.
 */
export function seeded(...parts: readonly (string | number)[]): number {
  // With their lengths, so that ('a', 'bc') and ('ab', 'c') differ.
  const text = parts.map((part) => `${String(part).length}:${part}`).join('');
  return hash('sha256', text, 'buffer').readUIntBE(0, 6) / BITS_48;
}

/** Extends an interval by 0 to 20 %, in whole milliseconds; `seed` is from 0 to 1. */
export function jittered(intervalMs: number, seed: number): number {
  return Math.round(intervalMs * (1 + JITTER * seed));
}

/**
 * Picks a variant with a probability proportional to its weight; `seed` is from 0 to less than 1. Picks none of weight
 * 0, unless all weights are 0: then all are equally likely. Undefined if there are none.
 */
export function pickVariant<T extends { weight: number }>(variants: readonly T[], seed: number): T | undefined {
  const total = variants.reduce((sum, { weight }) => sum + Math.max(0, weight), 0);
  if (total === 0) return variants[Math.floor(seed * variants.length)];
  const weighted = variants.filter(({ weight }) => weight > 0);
  let left = seed * total;
  // The last variant covers the rounding error.
  return weighted.find(({ weight }) => (left -= weight) < 0) ?? weighted.at(-1);
}
