import { setImmediate } from 'node:timers/promises';

/** Waits until `probe` holds, looking again as often as the event loop turns. Fails with `what` when it never does. */
export async function eventually(
  what: string,
  probe: () => Promise<boolean> | boolean,
  withinMs = 10_000,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await probe())) {
    if (Date.now() > deadline) throw new Error(`Never came true: ${what}`);
    await setImmediate();
  }
}
