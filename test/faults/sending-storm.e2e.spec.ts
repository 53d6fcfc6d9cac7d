import { type INestApplicationContext } from '@nestjs/common';
import { FaultProxy, LONG } from '@testing';
import { type Platform, sendingFigures, startPlatform, startTestWorker, violations } from '../harness';
import { ON_ITS_WAY_MS } from '../harness/invariants-tolerance';
import { isEventually, expireLeases, settleSending } from '../harness/sending';
import { type Act, sendingActs } from './sending-acts';
import { Chance, SEED, tell } from './seeded';
import { mixedLeads } from './recipient-faults';
import { SendingUnderFaults } from './sending-environment';

const MINUTE_MS = 60_000;
const ROUNDS = Number(process.env['FAULTS_ROUNDS'] ?? (LONG ? 10 : 1));
const LEADS = LONG ? 60 : 30;
/** All leases expire twice, and one worker loses MongoDB twice. */
const INTERRUPTIONS = 4;

/**
 * Four workers, one of them with MongoDB behind a proxy, send one campaign while other acts happen. The seed
 * determines the choices; the moment of each depends on the progress of the sending.
 */
describe(`four workers under random faults (seed ${SEED})`, () => {
  let platform: Platform;
  let database: FaultProxy;
  const workers: INestApplicationContext[] = [];

  beforeAll(async () => {
    platform = await startPlatform();
    database = new FaultProxy(platform.config.mongodbUri);
    const behind = { consuming: true, env: { MONGODB_URI: await database.start() } };
    workers.push(await startTestWorker(platform, behind));
    for (let index = 1; index < 4; index += 1) workers.push(await startTestWorker(platform));
  });
  afterEach(() => platform.clock.reset());
  afterAll(async () => {
    for (const worker of workers) await worker.close();
    await database.cut();
    await platform.close();
  });

  const acts: Record<string, Act> = {
    ...sendingActs,
    'Redis is emptied': (scenario) => scenario.flushRedis(),
    'all leases run out': () => expireLeases(platform),
    'minutes pass': async (scenario, chance) => {
      // Otherwise an email in transit would seem to need minutes.
      await isEventually(async () => !(await scenario.isSubmitting()), ON_ITS_WAY_MS);
      platform.clock.advance((1 + chance.below(10)) * MINUTE_MS);
    },
    'one worker loses MongoDB': async () => {
      await database.cut();
      await database.restore();
    },
  };

  const rounds = Array.from({ length: ROUNDS }, (_, index) => `${SEED}-${index}`);
  it.each(rounds)(
    'sends each email once, loses none, and honours each prohibition at once (%s)',
    async (seed) => {
      const chance = new Chance(seed);
      const scenario = await SendingUnderFaults.start(platform, {
        mailboxes: 3,
        leads: mixedLeads(chance, LEADS, 0.3),
        steps: 2,
      });
      await scenario.begin();
      for (const name of chance.shuffled([...Object.keys(acts), ...Object.keys(acts)])) {
        const before = await scenario.accepted();
        await acts[name]?.(scenario, chance);
        // The next act follows when another email has been accepted, or after a short wait.
        await isEventually(async () => (await scenario.accepted()) > before + chance.below(4), 400);
      }
      const settled = await settleSending(platform, workers[1]!, scenario.workspaceId);
      expect(await violations(platform, scenario.workspaceId, { settled: true, acts: scenario.acts })).toEqual([]);
      expect(settled).toBe(true);
      const figures = await sendingFigures(platform, scenario.workspaceId);
      const unexplained = await scenario.unexplained();
      tell(seed, { unexplained, ...figures });
      expect(figures).toMatchObject({ duplicates: 0, losses: 0 });
      // One email per mailbox can be in transit when its lease or its worker is cut off.
      expect(unexplained).toBeLessThanOrEqual(INTERRUPTIONS * scenario.mailboxes.length);
    },
    180_000,
  );
});
