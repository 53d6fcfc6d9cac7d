/**
 * Pulls all people of a local CRM, or pushes PEOPLE to it, with the built driver, and writes the measurements as JSON. With
 * COMPARE the requests are recorded and repeated by a bare loop over undici that parses the answers and nothing else.
 */
import { Agent, request } from 'undici';
import { loadBuilt } from './built.mts';

const { VENDOR = '', WORK = '', PEOPLE = '0', FIELD = '', BASE_URL = '', REPLAY_URL = '', COMPARE = '' } = process.env;
const people = Number(PEOPLE);
const TOKEN = 'canary-token';
/** The share of the people after which the memory is first measured. */
const EARLY = 0.1;

interface Sent {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Record<string, string>;
  readonly body?: string;
}

interface MemoryUse {
  readonly rss: number;
  readonly live: number;
}

interface Session {
  readonly requests: number;
  readonly limits: { write: number; requestsFor(call: string, count: number): number };
  pull(asked: object): Promise<{ people: readonly unknown[]; cursor: string | null }>;
  write(people: readonly object[]): Promise<readonly { kind: string }[]>;
}

interface Built {
  OutboundHttpClient: new (options: object) => { request(sent: Sent): unknown; onModuleDestroy(): Promise<void> };
  CrmDrivers: new (options: object) => { driver(vendor: string): { open(account: object): Session } };
}

const { OutboundHttpClient, CrmDrivers } = loadBuilt<Built>('OutboundHttpClient', 'CrmDrivers');
const outbound = new OutboundHttpClient({ allowPrivate: true });
const sent: Sent[] = [];
const http = {
  request: (asked: Sent) => {
    if (COMPARE !== '') sent.push(asked);
    return outbound.request(asked);
  },
};
const drivers = new CrmDrivers({ http, timeoutMs: 60_000, now: () => new Date() });
const auth = { kind: 'token', token: () => Promise.resolve(TOKEN) };
const session: Session = drivers.driver(VENDOR).open({ type: VENDOR, baseUrl: BASE_URL, auth });

let early: MemoryUse | null = null;
let done = 0;
/** After the first tenth, the warm-up: the time, the number done, and the next request. */
let begun = { at: 0, done: 0, sent: 0 };
const looked = (more: number): void => {
  done += more;
  if (early !== null || done < people * EARLY) return;
  early = memory();
  begun = { at: performance.now(), done, sent: sent.length };
};
if (WORK === 'pull') await pull();
else await push();
const seconds = (performance.now() - begun.at) / 1_000;
const timed = done - begun.done;
const late = memory();
const least = session.limits.requestsFor(WORK === 'pull' ? 'pull' : 'write', people);
let bareSeconds: number | null = null;
if (COMPARE !== '') {
  await replayed(sent.slice(0, begun.sent));
  bareSeconds = await replayed(sent.slice(begun.sent));
}
console.log(JSON.stringify({ done, timed, seconds, early, late, requests: session.requests, least, bareSeconds }));
await outbound.onModuleDestroy();
process.exit(0);

async function pull(): Promise<void> {
  for (let cursor: string | null = null; ;) {
    const page = await session.pull({ filter: {}, fields: [FIELD], cursor });
    looked(page.people.length);
    ({ cursor } = page);
    if (cursor === null) return;
  }
}

async function push(): Promise<void> {
  for (let from = 0; from < people; from += session.limits.write) {
    const count = Math.min(session.limits.write, people - from);
    const batch = Array.from({ length: count }, (_, n) => ({
      key: String(n),
      externalId: null,
      email: `person${from + n + 1}@example.com`,
      fields: { [FIELD]: `Person ${from + n + 1}` },
    }));
    const written = await session.write(batch);
    const made = written.filter(({ kind }) => kind === 'created').length;
    if (made !== count) throw new Error(`${count - made} of ${count} were not created: ${JSON.stringify(written[0])}`);
    looked(count);
  }
}

/** Sends the same requests to another server with the same people, with the concurrency of the driver. */
async function replayed(all: readonly Sent[]): Promise<number> {
  const dispatcher = new Agent({ pipelining: 1 });
  const atOnce = WORK === 'push' && session.limits.requestsFor('write', 4) >= 4 ? 4 : 1;
  let next = 0;
  const from = performance.now();
  const work = async (): Promise<void> => {
    for (let one = all[next++]; one; one = all[next++]) {
      const { method, headers, body } = one;
      const answer = await request(one.url.replace(BASE_URL, REPLAY_URL), { dispatcher, method, headers, body });
      const text = await answer.body.text();
      if (text !== '') JSON.parse(text);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return (performance.now() - from) / 1_000;
}

/** Memory after a garbage collection, in bytes: in use, and resident. */
function memory(): MemoryUse {
  // The second collection releases the buffers that the first one found.
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, live: heapUsed + external };
}
