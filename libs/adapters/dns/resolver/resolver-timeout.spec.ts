import { FakeClock } from '@testing';
import { type DnsAnswer } from '../port/dns.port';
import { type Fault } from '../testing/dns-faults';
import { DnsServer } from '../testing/dns-server';
import { ResolverDnsDriver, type ResolverOptions } from './resolver-dns.driver';

const NAME = 'www.example.com';
const A = { kind: 'records', records: ['192.0.2.1'], ttl: 300 };
const ZONE = { 'example.com': {}, [NAME]: { A: ['192.0.2.1'] } };

/** Two servers, and a resolver that asks only the first by default. */
class Scene {
  private constructor(
    readonly server: DnsServer,
    readonly other: DnsServer,
  ) {}

  static async open(): Promise<Scene> {
    const [server, other] = await Promise.all([DnsServer.start(ZONE), DnsServer.start(ZONE)]);
    return new Scene(server, other);
  }

  get both(): Pick<ResolverOptions, 'servers'> {
    return { servers: [this.server.address, this.other.address] };
  }

  resolver(options: Partial<ResolverOptions> = {}): ResolverDnsDriver {
    const patient = { servers: [this.server.address], firstWaitMs: 1_000, timeoutMs: 10_000 };
    return new ResolverDnsDriver({ ...patient, ...options }, new FakeClock());
  }

  ask(options?: Partial<ResolverOptions>): Promise<DnsAnswer<string>> {
    return this.resolver(options).query(NAME, 'A');
  }

  /** Each fault occurs once. */
  goesWrong(...faults: Fault[]): void {
    this.server.does = () => faults.shift() ?? null;
  }

  alwaysGoesWrong(fault: Fault | null): void {
    this.server.does = () => fault;
  }

  async close(): Promise<void> {
    await Promise.all([this.server.close(), this.other.close()]);
  }
}

type Scenario = readonly [promise: string, play: (scene: Scene) => Promise<void>];

const ONCE_MORE = (['drop', 'wrong-id', 'wrong-question', 'echo', 'runt'] as const).map((fault): Scenario => [
  `asks once more after this: ${fault}`,
  async (scene) => {
    scene.goesWrong(fault);
    expect(await scene.ask()).toEqual(A);
    expect(scene.server.queries.map(({ transport }) => transport)).toEqual(['udp', 'udp']);
  },
]);

const NEVER_RIGHT = (
  [
    ['timeout', 'drop'],
    ['malformed', 'wrong-id'],
    ['malformed', 'wrong-question'],
    ['malformed', 'echo'],
    ['malformed', 'runt'],
    ['malformed', 'garbage'],
  ] as const
).map(([kind, fault]): Scenario => [
  `tells by ${kind}, after three rounds, of a server that always does this: ${fault}`,
  async (scene) => {
    scene.alwaysGoesWrong(fault);
    expect(await scene.ask({ firstWaitMs: 500 })).toMatchObject({ kind });
    expect(scene.server.queries).toHaveLength(3);
  },
]);

const OVER_TCP = (
  [
    ['malformed', 'cut'],
    ['malformed', 'hang-up'],
    ['malformed', 'wrong-id'],
    ['malformed', 'truncated'],
    ['timeout', 'drop'],
    ['servfail', 'servfail'],
  ] as const
).map(([kind, fault]): Scenario => [
  `tells by ${kind} of a server that does this over TCP: ${fault}`,
  async (scene) => {
    scene.server.does = ({ transport }) => (transport === 'udp' ? 'truncated' : fault);
    expect(await scene.ask(fault === 'drop' ? { firstWaitMs: 300 } : {})).toMatchObject({ kind });
  },
]);

const TO_THE_OTHER = (['drop', 'wrong-id'] as const).map((fault): Scenario => [
  `asks the other server after this: ${fault}`,
  async (scene) => {
    scene.alwaysGoesWrong(fault);
    expect(await scene.ask(scene.both)).toEqual(A);
    expect([scene.server.queries.length, scene.other.queries.length]).toEqual([1, 1]);
  },
]);

const SCENARIOS: readonly Scenario[] = [
  ...ONCE_MORE,
  ...NEVER_RIGHT,
  ...OVER_TCP,
  ...TO_THE_OTHER,
  [
    'tells by unreachable of a server that is not there',
    async (scene) => {
      await scene.server.close();
      expect(await scene.ask()).toMatchObject({ kind: 'unreachable' });
    },
  ],
  [
    'tries each question once while the servers seem dead, and has its patience back when they are not',
    async (scene) => {
      scene.alwaysGoesWrong('drop');
      const dns = scene.resolver({ firstWaitMs: 500 });
      await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((label) => dns.query(`${label}.example.com`, 'A')));
      expect(scene.server.queries).toHaveLength(21);
      expect(await dns.query(NAME, 'A')).toMatchObject({ kind: 'timeout' });
      expect(scene.server.queries).toHaveLength(22);
      scene.alwaysGoesWrong(null);
      expect(await dns.query('lives.example.com', 'A')).toMatchObject({ kind: 'nxdomain' });
      scene.goesWrong('drop', 'drop');
      expect(await dns.query(NAME, 'A')).toEqual(A);
      expect(scene.server.queries).toHaveLength(26);
    },
  ],
  [
    'is not hurt by a hundred kilobytes, which no message can hold',
    async (scene) => {
      const TXT = Array.from({ length: 400 }, (_, index) => `${index}:`.padEnd(255, 'x'));
      scene.server.zone.change({ [NAME]: { TXT }, 'well.example.com': { A: ['192.0.2.9'] } });
      const dns = scene.resolver();
      expect(await dns.query(NAME, 'TXT')).toMatchObject({ kind: 'malformed' });
      expect(await dns.query('well.example.com', 'A')).toMatchObject({ records: ['192.0.2.9'] });
    },
  ],
  [
    'asks the other server first from then on, while the first stays silent',
    async (scene) => {
      scene.alwaysGoesWrong('drop');
      const dns = scene.resolver(scene.both);
      for (const label of ['a', 'b', 'c']) await dns.query(`${label}.example.com`, 'A');
      expect([scene.server.queries.length, scene.other.queries.length]).toEqual([1, 3]);
    },
  ],
  [
    'tells what says most, when both servers fail',
    async (scene) => {
      scene.alwaysGoesWrong('drop');
      scene.other.does = () => 'servfail';
      expect(await scene.ask({ ...scene.both, firstWaitMs: 500 })).toMatchObject({ kind: 'servfail' });
      expect([scene.server.queries.length, scene.other.queries.length]).toEqual([3, 1]);
    },
  ],
];

describe('ResolverDns with slow servers', () => {
  const outcomes = new Map<string, Promise<void>>();
  // The cases mostly wait, so they run concurrently, after the code has been compiled.
  beforeAll(async () => {
    await played(async (scene) => expect(await scene.ask()).toEqual(A));
    for (const [promise, play] of SCENARIOS) {
      const outcome = played(play);
      // The test of the case reports its result.
      outcome.catch(() => undefined);
      outcomes.set(promise, outcome);
    }
  });

  it.each(SCENARIOS)('%s', (promise) => outcomes.get(promise));
});

async function played(play: Scenario[1]): Promise<void> {
  const scene = await Scene.open();
  try {
    await play(scene);
  } finally {
    await scene.close();
  }
}
