import { hash } from 'node:crypto';

/** By how much an interval is stretched at most. */
const JITTER = 0.2;
const BITS_48 = 2 ** 48;

/**
 * A number from 0 to less than 1 that the parts determine, evenly spread: ids in, chance out. The engine and a simulation
 * come to the same one, as does an attempt that is made again.
 */
export function seeded(...parts: readonly (string | number)[]): number {
  // With their lengths, so that ('a', 'bc') and ('ab', 'c') differ.
  const text = parts.map((part) => `${String(part).length}:${part}`).join('');
  return hash('sha256', text, 'buffer').readUIntBE(0, 6) / BITS_48;
}

/** An interval stretched by 0 to 20 %, in whole milliseconds; `seed` is 0 to 1. */
export function jittered(intervalMs: number, seed: number): number {
  return Math.round(intervalMs * (1 + JITTER * seed));
}

/**
 * One variant, as often as its weight says; `seed` is 0 to less than 1. None of weight 0, unless all are: then each is as
 * good as the other. Undefined when there are none.
 */
export function pickVariant<T extends { weight: number }>(variants: readonly T[], seed: number): T | undefined {
  const total = variants.reduce((sum, { weight }) => sum + Math.max(0, weight), 0);
  if (total === 0) return variants[Math.floor(seed * variants.length)];
  const weighted = variants.filter(({ weight }) => weight > 0);
  let left = seed * total;
  // The last one takes what rounding leaves over.
  return weighted.find(({ weight }) => (left -= weight) < 0) ?? weighted.at(-1);
}
