import { setTimeout as pause } from 'node:timers/promises';
import { settling, type Server } from './processes.mts';
import { type Goal, heading, showGoals } from './report.mts';
import { median } from './statistics.mts';
import { type Stage } from './subjects.mts';

/** Long enough for work that a process postpones until it is idle. */
const REST_MS = 10_000;
const TIMES = 5;

interface Begun {
  readyMs: number;
  cpuMs: number;
}

/** Measures idle processes: the time until they are ready, and their memory. */
export async function rest({ fixture }: Stage): Promise<Goal[]> {
  heading('Start, and memory at rest, against a server that loads the same libraries and connects');
  const kinds = {
    bare: () => fixture.bareStart(settling),
    api: () => fixture.api('dist/apps/api/src/main.js', settling),
    worker: () => fixture.worker(settling, {}),
  };
  // The first start creates collections and indexes.
  await (await kinds.api()).stop();
  const begun: Record<keyof typeof kinds, Begun[]> = { bare: [], api: [], worker: [] };
  for (let round = 0; round < TIMES; round++) {
    for (const kind of ['bare', 'api', 'worker'] as const) begun[kind].push(await begin(kinds[kind]));
  }
  const memory = { bare: 0, api: 0, worker: 0 };
  for (const kind of ['bare', 'api', 'worker'] as const) {
    const server = await kinds[kind]();
    await pause(REST_MS);
    const resident = server.residentMib();
    memory[kind] = await server.settledMib();
    const peak = server.peakMib();
    await server.stop();
    const [ready, cpu] = [typical(begun[kind], 'readyMs'), typical(begun[kind], 'cpuMs')];
    console.log(
      `  ${kind.padEnd(8)} ready after ${ready.toFixed(0)} ms (CPU ${cpu.toFixed(0)} ms), at rest ${resident.toFixed(0)} MiB, ` +
        `settled ${memory[kind].toFixed(0)} MiB, at most ${peak.toFixed(0)} MiB`,
    );
  }
  const toBare = (kind: 'api' | 'worker'): Goal => ({
    what: `CPU until the ${kind} is ready / the libraries are`,
    value: typical(begun[kind], 'cpuMs') / typical(begun.bare, 'cpuMs'),
    bound: { atMost: 3 },
  });
  return showGoals([
    toBare('api'),
    toBare('worker'),
    { what: 'resident memory of the API at rest', value: memory.api, bound: { below: 200 }, unit: ' MiB' },
    { what: 'resident memory of the worker at rest', value: memory.worker, bound: { below: 250 }, unit: ' MiB' },
  ]);
}

async function begin(start: () => Promise<Server>): Promise<Begun> {
  const begun = performance.now();
  const server = await start();
  const readyMs = performance.now() - begun;
  const cpuMs = server.cpuMs();
  await server.stop();
  return { readyMs, cpuMs };
}

function typical(all: readonly Begun[], field: keyof Begun): number {
  return median(all.map((one) => one[field]));
}
