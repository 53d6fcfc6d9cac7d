import { setTimeout as pause } from 'node:timers/promises';
import { SETTLING } from './harness.mts';
import { type Goal, heading, line, median, showGoals, type Stage } from './measure.mts';

/** Long enough for work that a process postpones until it is idle. */
const REST_MS = 10_000;

/** Measures idle processes: the time and the CPU until they are ready, and their memory. */
export async function rest({ fixture, rounds, short }: Stage): Promise<Goal[]> {
  heading('Start, and memory at rest');
  // The first start creates collections and indexes.
  await (await fixture.app('api')).stop();
  const goals: Goal[] = [];
  for (const [app, below] of [
    ['api', 200],
    ['worker', 250],
  ] as const) {
    const [cpu, ready]: number[][] = [[], []];
    let memory = Number.NaN;
    for (let round = 1; round <= rounds; round++) {
      const started = performance.now();
      const server = await fixture.app(app, {}, SETTLING);
      ready?.push(performance.now() - started);
      cpu?.push(server.cpuMs());
      await pause(round < rounds || short ? 0 : REST_MS);
      if (round === rounds) memory = await server.settledMib();
      await server.stop();
    }
    line(app, `ready after ${median(ready ?? []).toFixed(0)} ms`, `CPU ${median(cpu ?? []).toFixed(0)} ms`);
    goals.push({ what: `resident memory of the ${app} at rest`, value: memory, bound: { below }, unit: ' MiB' });
  }
  return showGoals(goals);
}
