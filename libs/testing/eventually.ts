import { setTimeout as pause } from 'node:timers/promises';

/**
 * Longest pause between two probes, in milliseconds. Most probes call the server or process that does the awaited work: probes
 * without a pause would take its CPU time.
 */
const LONGEST_PAUSE_MS = 100;

/**
 * Waits until `probe` returns true, with growing pauses from 1 ms on. Fails with `what` after `withinMs`, which is long enough
 * for a busy machine.
 */
export async function eventually(
  what: string,
  probe: () => Promise<boolean> | boolean,
  withinMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (let pauseMs = 1; !(await probe()); pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    if (Date.now() > deadline) throw new Error(`Timed out waiting until ${what}`);
    await pause(pauseMs);
  }
}
