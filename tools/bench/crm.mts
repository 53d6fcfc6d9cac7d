import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { freePort } from '../local-services/ports.mts';
import { Server } from './processes.mts';
import { type Goal, heading, showGoals } from './report.mts';
import { median } from './statistics.mts';
import type { Stage } from './subjects.mts';

const PEOPLE = 100_000;
/** For the comparison with a bare loop, which repeats the recorded requests. */
const COMPARED = 10_000;
const SHORT = 2_000;
const MEGABYTE = 1_048_576;
const PATIENCE_MS = 900_000;

/** A field that every person has, under the vendor's name. */
const FIELDS = {
  hubspot: 'lastname',
  salesforce: 'LastName',
  pipedrive: 'name',
  zoho: 'Last_Name',
  close: 'name',
  attio: 'name.last_name',
} as const;
type Vendor = keyof typeof FIELDS;
type Work = 'pull' | 'push';

/** In bytes, after a garbage collection. */
interface MemoryUse {
  readonly rss: number;
  readonly live: number;
}

interface Measured {
  readonly done: number;
  /** The number of people processed in `seconds`. */
  readonly timed: number;
  readonly seconds: number;
  readonly early: MemoryUse;
  readonly late: MemoryUse;
  readonly requests: number;
  readonly least: number;
  readonly bareSeconds: number | null;
}

/** Measures each driver with its local server in another process: requests, memory, and people per second compared with a bare loop. */
export async function crm({ rounds, short }: Stage): Promise<Goal[]> {
  const people = short ? SHORT : PEOPLE;
  heading(`CRMs: ${people} people pulled and pushed by each driver`);
  const goals: Goal[] = [];
  for (const vendor of Object.keys(FIELDS) as Vendor[]) {
    for (const work of ['pull', 'push'] as const) goals.push(...(await measured(vendor, work, people, rounds)));
  }
  return showGoals(goals);
}

async function measured(vendor: Vendor, work: Work, people: number, rounds: number): Promise<Goal[]> {
  const all = await run(vendor, work, people);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const { seconds, bareSeconds } = await run(vendor, work, COMPARED, true);
    ratios.push((bareSeconds ?? Number.NaN) / seconds);
  }
  const [early, late] = [all.early, all.late].map(({ live, rss }) => `${inMb(live)} MB (RSS ${inMb(rss)})`);
  console.log(
    `  ${`${vendor} ${work}`.padEnd(16)} ${(all.timed / all.seconds).toFixed(0).padStart(6)} people/s   ${all.requests} requests, ${all.least} minimum   ${early} after a tenth, ${late} after all`,
  );
  const what = `${vendor}, ${work}`;
  return [
    { what: `${what}: people`, value: all.done, bound: { atLeast: people } },
    { what: `${what}: requests / minimum`, value: all.requests / all.least, bound: { atMost: 1.1 } },
    { what: `${what}: memory after all / after a tenth`, value: all.late.live / all.early.live, bound: { below: 1.2 } },
    { what: `${what}: people/s / bare loop`, value: median(ratios), bound: { atLeast: 0.6 } },
  ];
}

function inMb(bytes: number): string {
  return (bytes / MEGABYTE).toFixed(0);
}

/** Runs the driver in a separate process, so that its memory is measured alone. */
async function run(vendor: Vendor, work: Work, people: number, isCompared = false): Promise<Measured> {
  const there = work === 'pull' ? people : 0;
  const servers: Server[] = [];
  try {
    servers.push(await started(vendor, there));
    if (isCompared) servers.push(await started(vendor, there));
    const [baseUrl = '', replayUrl = ''] = await Promise.all(servers.map((server) => getAddress(server)));
    const env = {
      PATH: process.env['PATH'] ?? '',
      VENDOR: vendor,
      WORK: work,
      PEOPLE: String(people),
      FIELD: FIELDS[vendor],
      BASE_URL: baseUrl,
      REPLAY_URL: replayUrl,
      ...(isCompared && { COMPARE: '1' }),
    };
    const args = ['--expose-gc', 'tools/bench/crm-client.mts'];
    const options = { env, timeout: PATIENCE_MS, maxBuffer: MEGABYTE };
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    return JSON.parse(stdout) as Measured;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function started(vendor: Vendor, people: number): Promise<Server> {
  const port = await freePort();
  return Server.start({
    name: `the local ${vendor}`,
    script: 'tools/bench/crm-server.mts',
    env: {
      PATH: process.env['PATH'] ?? '',
      VENDOR: vendor,
      PEOPLE: String(people),
      FIELD: FIELDS[vendor],
      PORT: String(port),
    },
    port,
    readyPath: '/',
  });
}

async function getAddress(server: Server): Promise<string> {
  const answer = await fetch(server.url);
  return ((await answer.json()) as { baseUrl: string }).baseUrl;
}
