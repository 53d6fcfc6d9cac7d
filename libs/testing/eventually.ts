import { setTimeout as pause } from 'node:timers/promises';

/**
 * Longest pause between two checks (milliseconds). Most checks query a server or process that is doing the awaited
 * work: checking without a pause takes processor time from it and from other tests.
 */
const LONGEST_PAUSE_MS = 100;

/**
 * Waits until `probe` holds, checking after 1 ms and then less and less often. Fails with `what` after `withinMs`,
 * which is long enough for a busy machine.
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
