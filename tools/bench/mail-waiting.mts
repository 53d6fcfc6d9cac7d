import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 250;

/** Polls until `value` is `wanted`. @throws after `limitMs`, with the last value */
export async function until(what: string, wanted: number, limitMs: number, value: () => number | Promise<number>) {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const now = await value();
    if (now === wanted) return;
    if (Date.now() > deadline) throw new Error(`${what}: ${now} instead of ${wanted} after ${limitMs / 1000} s`);
    await pause(LOOK_EVERY_MS);
  }
}
