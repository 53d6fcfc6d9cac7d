import { type INestApplicationContext } from '@nestjs/common';
import { FaultProxy } from '@testing';
import { type Platform, sendingFigures, startPlatform, startTestWorker, violations } from '../harness';
import { comesTrue, expireLeases, settleSending } from '../harness/sending';
import { Chance, LONG, SEED } from './seeded';
import { mixedLeads, SendingUnderFaults } from './sending.world';

const MINUTE_MS = 60_000;
const ROUNDS = Number(process.env['FAULTS_ROUNDS'] ?? (LONG ? 10 : 1));
const LEADS = LONG ? 60 : 30;

/** Something that happens while emails are sent. */
type Act = (world: SendingUnderFaults, chance: Chance) => Promise<unknown>;

/**
 * Four workers, of which one has its MongoDB behind a proxy, send one campaign while everything else happens. What is chosen
 * follows from the seed; where in the sending it strikes, from how far the sending has got.
 */
describe(`four workers in a storm (seed ${SEED})`, () => {
  let platform: Platform;
  let database: FaultProxy;
  const workers: INestApplicationContext[] = [];

  beforeAll(async () => {
    platform = await startPlatform();
    database = new FaultProxy(platform.config.mongodbUri);
    const behind = { consuming: true, env: { MONGODB_URI: await database.start() } };
    workers.push(await startTestWorker(platform, behind));
    for (let index = 1; index < 4; index += 1) workers.push(await startTestWorker(platform));
  }, 60_000);
  afterEach(() => platform.clock.reset());
  afterAll(async () => {
    for (const worker of workers) await worker.close();
    await database.cut();
    await platform.close();
  });

  const some = ({ leads }: SendingUnderFaults, chance: Chance) => chance.shuffled(leads).slice(0, 1 + chance.below(3));
  /** What was begun is seen through by the emails that come after it. */
  const during = async (world: SendingUnderFaults, undo: () => Promise<void>) => {
    await world.tripleJobs();
    await undo();
  };

  const acts: Record<string, Act> = {
    'the campaign is paused and resumed': async (world) => during(world, await world.pauseCampaign()),
    'a mailbox is paused and resumed': async (world, chance) =>
      during(world, await world.pauseMailbox(chance.pick(world.mailboxes))),
    'leads are paused and resumed': async (world, chance) =>
      during(world, await world.pauseLeads(some(world, chance).map(({ _id }) => _id))),
    'all leads are paused and resumed': async (world) =>
      during(world, await world.pauseLeads(world.leads.map(({ _id }) => _id))),
    'addresses are suppressed': (world, chance) => world.suppress(some(world, chance).map(({ email }) => email)),
    'leads are removed': (world, chance) =>
      world.actOn(
        'remove',
        some(world, chance).map(({ _id }) => _id),
      ),
    'Redis is emptied': (world) => world.flushRedis(),
    'every job comes three times': (world) => world.tripleJobs(),
    'all leases run out': () => expireLeases(platform),
    'minutes pass': async (_world, chance) => platform.clock.advance((1 + chance.below(10)) * MINUTE_MS),
    'one worker loses MongoDB': async () => {
      await database.cut();
      await database.restore();
    },
  };

  const rounds = Array.from({ length: ROUNDS }, (_, index) => `${SEED}-${index}`);
  it.each(rounds)(
    'sends each email once, loses none, and obeys at once (%s)',
    async (seed) => {
      const chance = new Chance(seed);
      const world = await SendingUnderFaults.start(platform, {
        mailboxes: 3,
        leads: mixedLeads(chance, LEADS, 0.3),
        steps: 2,
      });
      await world.begin();
      for (const name of chance.shuffled([...Object.keys(acts), ...Object.keys(acts)])) {
        const before = await world.accepted();
        await acts[name]?.(world, chance);
        // The next one strikes when something has been sent again, or when nothing is to be had.
        await comesTrue(async () => (await world.accepted()) > before + chance.below(4), 400);
      }
      const settled = await settleSending(platform, workers[1]!, world.workspaceId);
      expect(await violations(platform, world.workspaceId, { settled: true, acts: world.acts })).toEqual([]);
      expect(settled).toBe(true);
      expect(await sendingFigures(platform, world.workspaceId)).toMatchObject({ duplicates: 0, losses: 0 });
    },
    180_000,
  );
});
