import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 250;

/** Looks until `value` is `wanted`. @throws when it still is not after `limitMs`, saying how far it came */
export async function until(what: string, wanted: number, limitMs: number, value: () => number | Promise<number>) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const now = await value();
    if (now === wanted) return;
    if (Date.now() > deadline) throw new Error(`${what}: ${now} instead of ${wanted} after ${limitMs / 1000} s`);
    await pause(LOOK_EVERY_MS);
  }
}
