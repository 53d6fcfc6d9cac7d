import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Serve } from './child.mts';
import { loadBuilt } from './harness.mts';
import { type Goal, heading, line, showGoals, type Stage } from './measure.mts';

/** The local server of each CRM, and a field that every person has there. */
const VENDORS = {
  hubspot: ['HubSpotServer', 'lastname'],
  salesforce: ['SalesforceServer', 'LastName'],
  pipedrive: ['PipedriveServer', 'name'],
  zoho: ['ZohoServer', 'Last_Name'],
  close: ['CloseServer', 'name'],
  attio: ['AttioServer', 'name.last_name'],
} as const;
type Vendor = keyof typeof VENDORS;

interface Session {
  readonly requests: number;
  readonly limits: { write: number; requestsFor(call: string, count: number): number };
  pull(page: object): Promise<{ people: readonly unknown[]; cursor: string | null }>;
  write(people: readonly object[]): Promise<readonly { kind: string }[]>;
}

/** Memory after a garbage collection, in bytes: after a tenth of the people, and at the end. */
type Measured = Record<'done' | 'rate' | 'early' | 'late' | 'requests' | 'least', number>;

/** Each driver with its local server, each in a process of its own: requests, memory, and people per second. */
export async function crm({ fixture, short }: Stage): Promise<Goal[]> {
  const people = short ? 2_000 : 100_000;
  heading(`CRMs: ${people} people pulled and pushed by each driver`);
  const goals: Goal[] = [];
  for (const VENDOR of Object.keys(VENDORS)) {
    for (const WORK of ['pull', 'push'] as const) {
      const env = { VENDOR, WORK, PEOPLE: String(people), STORED: WORK === 'pull' ? String(people) : '0' };
      const server = await fixture.child('crm', 'serveVendor', env);
      const { baseUrl: BASE_URL } = await server.read<{ baseUrl: string }>('/');
      const client = await fixture.child('crm', 'serveDriver', { ...env, BASE_URL }, ['--expose-gc']);
      const { done, rate, early, late, requests, least } = await client.read<Measured>('/');
      await Promise.all([client.stop(), server.stop()]);
      const what = `${VENDOR}, ${WORK}`;
      line(what, `${rate.toFixed(0)} people/s`, `${requests} requests, ${least} minimum`);
      goals.push(
        { what: `${what}: people`, value: done, bound: { atLeast: people } },
        { what: `${what}: requests / minimum`, value: requests / least, bound: { atMost: 1.1 } },
        { what: `${what}: memory at the end / after a tenth`, value: late / early, bound: { below: 1.2 } },
      );
    }
  }
  return showGoals(goals);
}

/** Pulls or pushes all people with the built driver. */
export async function serveDriver(): Promise<Serve> {
  const { VENDOR = '', WORK = '', PEOPLE = '0', BASE_URL = '' } = process.env;
  const [people, field] = [Number(PEOPLE), VENDORS[VENDOR as Vendor][1]];
  const { OutboundHttpClient } = loadBuilt('libs/platform/outbound/outbound-http.client');
  const { CrmDrivers } = loadBuilt('libs/adapters/crm/crm-drivers');
  const http = new OutboundHttpClient({ allowPrivate: true });
  const auth = { kind: 'token', token: () => Promise.resolve('canary-token') };
  const drivers = new CrmDrivers({ http, timeoutMs: 60_000, now: () => new Date() });
  const session: Session = drivers.driver(VENDOR).open({ type: VENDOR, baseUrl: BASE_URL, auth });

  /** The number of people of each request. */
  async function* work(): AsyncGenerator<number> {
    if (WORK === 'pull') {
      for (let cursor: string | null = null, page = 0; page === 0 || cursor !== null; page++) {
        const found = await session.pull({ filter: {}, fields: [field], cursor });
        ({ cursor } = found);
        yield found.people.length;
      }
      return;
    }
    for (let from = 0; from < people; from += session.limits.write) {
      const batch = Array.from({ length: Math.min(session.limits.write, people - from) }, (_, n) => {
        const name = `person${from + n + 1}`;
        return { key: String(n), externalId: null, email: `${name}@example.com`, fields: { [field]: name } };
      });
      yield (await session.write(batch)).filter(({ kind }) => kind === 'created').length;
    }
  }

  return async () => {
    let [done, early] = [0, 0];
    let warm = { at: performance.now(), done: 0 };
    for await (const more of work()) {
      done += more;
      if (early > 0 || done < people / 10) continue;
      early = collectMemory();
      warm = { at: performance.now(), done };
    }
    const rate = (done - warm.done) / ((performance.now() - warm.at) / 1_000);
    const late = collectMemory();
    const least = session.limits.requestsFor(WORK === 'pull' ? 'pull' : 'write', people);
    return { done, rate, early, late, requests: session.requests, least };
  };
}

function collectMemory(): number {
  // The second collection releases the buffers that the first one found.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The local server of a CRM (libs/adapters/crm/testing) with STORED people. Test helpers are not built, so they are compiled here. */
export async function serveVendor(): Promise<Serve> {
  const { transformFileSync } = await import('@swc/core');
  const { VENDOR = '', STORED = '0' } = process.env;
  const [className, field] = VENDORS[VENDOR as Vendor];
  const root = join(import.meta.dirname, '..', '..');
  const cache = join(root, 'node_modules', '.cache', 'bench');
  mkdirSync(cache, { recursive: true });
  const compiled = mkdtempSync(join(cache, 'crm-'));
  const testing = join(root, 'libs', 'adapters', 'crm', 'testing');
  for (const file of readdirSync(testing).filter((name) => /^(?!fake|index).*(?<!\.spec)\.ts$/.test(name))) {
    const jsc = { parser: { syntax: 'typescript' }, target: 'es2023' } as const;
    const { code } = transformFileSync(join(testing, file), { jsc, module: { type: 'commonjs' }, swcrc: false });
    writeFileSync(join(compiled, file.replace(/\.ts$/, '.js')), code);
  }
  writeFileSync(join(compiled, 'package.json'), '{"type":"commonjs"}');
  const { [className]: VendorServer } = createRequire(import.meta.url)(join(compiled, `${VENDOR}-server.js`));
  const server = await new VendorServer().listen();
  server.store.fill(Number(STORED), (n: number) => ({ [field]: `Person ${n}` }));
  server.store.passes(3_600_000);
  return async () => ({ baseUrl: server.baseUrl });
}
