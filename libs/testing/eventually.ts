import { setImmediate } from 'node:timers/promises';

/** Waits until `probe` holds, looking again as often as the event loop turns. Fails with `what` after ten seconds. */
export async function eventually(what: string, probe: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await probe())) {
    if (Date.now() > deadline) throw new Error(`Never came true: ${what}`);
    await setImmediate();
  }
}
