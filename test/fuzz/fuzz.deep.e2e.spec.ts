import { type AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { rounds } from '@testing';
import { startTestWorker } from '../harness';
import { Foreign, listRecords } from '../isolation/foreign';
import { IsolationEnvironment } from '../isolation/isolation-environment';
import { type Route } from '../isolation/routes';
import { leaked } from '../isolation/content';
import { hostileText } from './hostile';
import { findFaults, faultsOfRoute, strangeNames, type Untold } from './answer-evaluation';
import { addressesOutside, type Outer } from './outer';
import { plan } from './plans';
import { RAW, written } from './raw';
import { createRequest } from './requests';

/**
 * Requests for each route. `FUZZ_ROUNDS=<n>` sends more, `FUZZ_SEED=<seed>` sends others (docs/engineers/testing.md).
 */
const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? rounds(12, 1));
/** A fixed seed, so that a failure is the same on every machine. */
const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_122);
/** One test sends all requests: half a minute on an idle machine, and longer with more rounds. */
const PATIENCE_MS = 600_000 + ROUNDS * 60_000;

/** Log lines of unforeseen errors. */
const FAULT =
  /.*(Request failed|A page failed|A response was interrupted|TypeError|RangeError|ReferenceError|CastError|BSONError|TenantGuardError|MongoServerError).*/;

describe(`every route with ${ROUNDS} hostile requests (FUZZ_SEED=${SEED})`, () => {
  let environment: IsolationEnvironment;
  let untold: Untold;
  let before: Record<string, unknown[]>;

  beforeAll(async () => {
    environment = await IsolationEnvironment.start();
    await environment.eventsRelayed();
    const content = await environment.dump();
    const { config } = environment.platform;
    const [mongodb, redis] = [new URL(config.mongodbUri), new URL(config.redisUrl)];
    const inside = [process.cwd(), mongodb.host, redis.host, config.queuePrefix];
    untold = { foreign: new Foreign(content, environment.theirs), inside };
    before = listRecords(content, environment.theirs);
  });
  afterAll(() => environment.close());

  /** Checks a property and reports its input; never throws, so that one run names every faulty route. */
  async function held<T>(
    label: string,
    inputs: fc.Arbitrary<T>,
    faults: (input: T) => Promise<string[]>,
  ): Promise<string[]> {
    const seen = async (input: T) => {
      const found = await faults(input);
      if (found.length > 0) throw new Error(found.join('\n'));
    };
    // Other requests for each route: shared behaviour gets more of them.
    const seed = SEED ^ crc32(label);
    const details = await fc.check(fc.asyncProperty(inputs, seen), { numRuns: ROUNDS, seed });
    if (!details.failed) return [];
    const { message } = details.errorInstance as Error;
    return [`${label}: ${message}\n${(await fc.asyncDefaultReportMessage(details))?.slice(0, 3_000)}`];
  }

  it(
    'answers without a fault, an internal detail or data of another workspace',
    async () => {
      const failures: string[] = [];
      /** Routes that accepted a request: the others show only how they refuse. */
      const taking = new Set<string>();
      for (const route of environment.routes.toSorted((one, other) => destruction(one) - destruction(other))) {
        const found = await held(route.label, plan, async (departure) => {
          const asked = createRequest(environment, route, departure);
          const said = `${decoded(asked.path)} ${asked.body?.toString() ?? ''} ${JSON.stringify(asked.headers)}`;
          const answer = await environment.caller.ask(asked);
          if (answer.status < 300) taking.add(route.label);
          return [...faultsOfRoute(answer, untold, said)];
        });
        failures.push(...found);
      }
      expect(failures.join('\n\n')).toBe('');
      // Fewer requests leave fewer routes that accept one.
      expect(taking.size).toBeGreaterThan(environment.routes.length / (ROUNDS < 12 ? 4 : 2));
    },
    PATIENCE_MS,
  );

  it('answers without a fault on pages and callbacks too', async () => {
    const outers = addressesOutside(environment);
    expect(outers.length).toBeGreaterThan(8);
    const failures: string[] = [];
    for (const outer of outers) {
      const found = await held(outer.label, fc.tuple(hostileText, hostileText, hostileText), async (texts) => {
        const asked = toRequestText(outer, texts);
        return [...findFaults(await environment.caller.ask(asked), untold, decoded(asked.path))];
      });
      failures.push(...found);
    }
    expect(failures.join('\n\n')).toBe('');
  });

  it.each(RAW)('refuses %s or answers it, and continues to serve', async (_name, bytes) => {
    const { port } = environment.platform.app.getHttpServer().address() as AddressInfo;
    const answer = await written(port, bytes);
    expect(answer).toMatch(/^$|^HTTP\/1\.1 [1-4]\d\d /);
    expect(answer).not.toMatch(/x-injected|sk_canary|\n\s+at /i);
    expect((await environment.caller.ask({ method: 'get', path: '/health/ready', headers: {} })).status).toBe(200);
  });

  it('leaves the other workspace unchanged, also after all events are relayed', async () => {
    await environment.eventsRelayed();
    expect(listRecords(await environment.dump(), environment.theirs)).toEqual(before);
  });

  it('lists and processes the accepted records without a fault', async () => {
    const { platform, mine } = environment;
    const worker = await startTestWorker(platform);
    try {
      await platform.drain();
    } finally {
      await worker.close();
    }
    const faults: string[] = [];
    for (const route of environment.guarded.filter(({ method }) => method === 'get')) {
      const answer = await environment.ask(route, mine, { key: environment.keyFor(route, mine) });
      faults.push(...[...faultsOfRoute(answer, untold, '')].map((fault) => `${route.label}: ${fault}`));
    }
    expect(faults).toEqual([]);
  });

  it('stores no operator, logs no secret and no failure, and changes no shared object', async () => {
    const { platform, theirs, mine } = environment;
    expect(strangeNames(await environment.dump())).toEqual([]);
    expect(leaked(platform.logged(), [...theirs.secrets, ...mine.secrets])).toEqual([]);
    expect(platform.logged().match(FAULT)).toBeNull();
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

/** Deletions come last. */
function destruction({ method }: Route): number {
  return method === 'delete' ? 1 : 0;
}

function toRequestText({ method, template }: Outer, [segment, text, body]: [string, string, string]) {
  const inPath = encodeURIComponent(segment.slice(0, 3_000).toWellFormed()) || 'x';
  const query = encodeURIComponent(text.slice(0, 3_000).toWellFormed());
  const path = `${template.replaceAll(/:\w+/g, inPath)}?code=${query}&state=${query}&error=${query}&${query}`;
  const header = text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').trim();
  const headers = {
    'Accept-Language': header || 'en',
    'User-Agent': header || 'x',
    'X-Enrichment-Signature': header || 'x',
  };
  const type = { 'Content-Type': text.length % 2 === 0 ? 'application/x-www-form-urlencoded' : 'application/json' };
  return method === 'post' ? { method, path, headers: { ...headers, ...type }, body } : { method, path, headers };
}

function decoded(path: string): string {
  try {
    return `${path} ${decodeURIComponent(path)}`;
  } catch {
    return path;
  }
}
