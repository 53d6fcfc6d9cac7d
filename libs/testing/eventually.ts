import { setTimeout as pause } from 'node:timers/promises';

/**
 * The longest pause between two looks (milliseconds). Most looks ask a server or a process that is doing what is waited
 * for: one that looks without a pause takes the processor from it, and from every other test.
 */
const LONGEST_PAUSE_MS = 100;

/**
 * Waits until `probe` holds, looking again after 1 ms and then ever less often. Fails with `what` when it does not within
 * `withinMs`: so late only what never comes, also on a machine that others keep busy.
 */
export async function eventually(
  what: string,
  probe: () => Promise<boolean> | boolean,
  withinMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (let pauseMs = 1; !(await probe()); pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    if (Date.now() > deadline) throw new Error(`Never came true: ${what}`);
    await pause(pauseMs);
  }
}
