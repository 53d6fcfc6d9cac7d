import { RedisClient } from '@platform/queues';
import { FaultProxy, LONG, mailSandbox } from '@testing';
import { type Platform, sendingFigures, startPlatform, startTestWorker, violations } from '../harness';
import { deliveredFrom, checkTenantMail, nothingLeaks, type Text } from '../harness/invariants-tenants';
import { isEventually, expireLeases, settleSending } from '../harness/sending';
import { asBoth } from '../campaigns/campaigns';
import { Fleet } from './cluster';
import { OwnServices } from './own-services';
import { Chance, SEED, tell } from './seeded';
import { type Act, sendingActs } from './sending-acts';
import { mixedLeads } from './recipient-faults';
import { SendingUnderFaults } from './sending-environment';

const MINUTE_MS = 60_000;
const ROUNDS = Number(process.env['FAULTS_ROUNDS'] ?? (LONG ? 4 : 1));
const LEADS = LONG ? 40 : 8;
/** Between two of them all workers are killed at once, and come back when some time has passed. */
const PHASES = LONG ? 3 : 1;
const KILLS_A_PHASE = LONG ? 8 : 3;

/**
 * Four workers as in production, each a process of its own, send for two workspaces, and are killed at random and started
 * again while everything else happens. MongoDB and Redis belong to this run, and in the long form they are killed as well.
 */
describe(`four worker processes that are killed at random (seed ${SEED})`, () => {
  let services: OwnServices;
  let platform: Platform;
  let mongo: FaultProxy;
  let smtp: FaultProxy;
  let smtpUrl: string;
  let fleet: Fleet;

  beforeAll(async () => {
    services = await OwnServices.start({ mongo: LONG });
    const name = `/test_${SEED}_${process.pid}`;
    const behind = async (which: 'mongo' | 'redis') => {
      const { url, proxy } = await services.behind(which);
      const address = new URL(url);
      if (which === 'mongo') address.pathname = name;
      return { url: address.toString(), proxy };
    };
    const redis = await behind('redis');
    platform = await startPlatform({ env: { MONGODB_URI: (await behind('mongo')).url, REDIS_URL: redis.url } });
    smtp = new FaultProxy(`smtp://127.0.0.1:${mailSandbox().smtp.tlsPort}`);
    smtpUrl = await smtp.start();
    const cutOff = await behind('mongo');
    mongo = cutOff.proxy;
    fleet = await Fleet.of(platform, [{ MONGODB_URI: cutOff.url }, {}, {}, {}]);
  });
  afterEach(() => platform.clock.reset());
  afterAll(async () => {
    await fleet.killAll();
    await smtp.cut();
    await platform.close();
    await services.stop();
  });

  let interruptions = 0;
  const interrupt = async (...how: (() => unknown)[]) => {
    interruptions += 1;
    for (const step of how) await step();
  };
  const flushed = () => platform.app.get(RedisClient).client.flushall();

  const acts: Record<string, Act> = {
    ...sendingActs,
    'FLUSHALL of Redis': flushed,
    'all leases run out': () => interrupt(() => expireLeases(platform)),
    'one worker loses MongoDB': () =>
      interrupt(
        () => mongo.cut(),
        () => mongo.restore(),
      ),
    'the SMTP server answers nothing, also at connect, until all connections break': () =>
      interrupt(
        () => smtp.silence(),
        () => isEventually(() => Promise.resolve(false), 300),
        () => smtp.restore(),
      ),
  };
  const ready = async () => {
    const { body } = await platform.api.get('/health/ready');
    return (body as { status: string }).status === 'ready';
  };
  if (LONG) {
    acts['MongoDB and Redis are killed and started again'] = () =>
      interrupt(
        () => services.restart(),
        async () => expect(await isEventually(ready)).toBe(true),
      );
  }
  const kills = Object.fromEntries(
    Array.from({ length: KILLS_A_PHASE }, (_, index): [string, Act] => [
      `kill -9, number ${index}`,
      (_world, chance) => interrupt(() => fleet.killOne(chance)),
    ]),
  );

  /** Everything happens once, to one workspace or the other, in the order of the seed. */
  async function phase(worlds: readonly SendingUnderFaults[], chance: Chance): Promise<void> {
    const all = { ...acts, ...kills };
    for (const name of chance.shuffled(Object.keys(all))) {
      const world = chance.pick(worlds);
      const before = await world.accepted();
      await all[name]?.(world, chance);
      await world.tripleJobs();
      await isEventually(async () => (await world.accepted()) > before + chance.below(4), 400);
    }
  }

  /** One workspace sends all it can, the other keeps every limit there is; the window of that one closes soon. */
  async function begun(chance: Chance): Promise<readonly SendingUnderFaults[]> {
    const url = new URL(smtpUrl);
    const mailbox = { smtpHost: url.hostname, smtpPort: Number(url.port) };
    const people = () => mixedLeads(chance, LEADS, 0.3, true);
    const free = await SendingUnderFaults.start(platform, { mailboxes: 3, leads: people(), mailbox });
    const limited = await SendingUnderFaults.start(platform, {
      mailboxes: 2,
      leads: people(),
      mailbox: { ...mailbox, sendGapSeconds: LONG ? 3 : 2, dailySendLimit: 5 + chance.below(6) },
      campaign: {
        dailyLimit: 8 + chance.below(8),
        newLeadsPerDay: 4 + chance.below(6),
        sendingSchedule: closingSoon(platform.clock.now()),
      },
    });
    await Promise.all([free.begin(), limited.begin()]);
    return [free, limited];
  }

  async function settled(worlds: readonly SendingUnderFaults[]): Promise<boolean> {
    const worker = await startTestWorker(platform);
    const whenStuck = async () => {
      await smtp.cut();
      await smtp.restore();
    };
    const ids = worlds.map(({ workspaceId }) => workspaceId);
    const options = { stepMs: 170 * MINUTE_MS, rounds: 250, withinMs: 8_000, whenStuck };
    const isSettled = await settleSending(platform, worker, ids, options);
    await worker.close();
    return isSettled;
  }

  /** What one workspace can see and what was logged while both were sent for. */
  async function broken(worlds: readonly SendingUnderFaults[]): Promise<string[]> {
    const found: string[] = [];
    const logs: Text[] = [
      { where: 'the log of the workers', text: fleet.output },
      { where: 'the log of the API', text: platform.logged() },
    ];
    found.push(...nothingLeaks(logs, { 'a password': mailSandbox().password, 'a key': platform.config.secretKeys }));
    for (const world of worlds) {
      const { workspaceId, acts, workspace, canary, campaign } = world;
      const others = worlds.filter((other) => other !== world);
      found.push(...(await violations(platform, workspaceId, { settled: true, acts })));
      found.push(...(await world.unfinished()));
      const mails = await deliveredFrom(world.mailboxes.map(({ email }) => email));
      found.push(...checkTenantMail(tenant(world), others.map(tenant), mails));
      found.push(...nothingLeaks(logs, { 'content of an email': canary, 'a key of a workspace': workspace.key }));
      const api = asBoth(platform.api, workspace.key);
      for (const where of [`/v1/campaigns/${campaign._id}/leads?limit=100`, '/v1/campaigns', '/v1/mailboxes']) {
        const { text } = await api.get(where).expect(200);
        found.push(...others.flatMap((other) => [...nothingLeaks([{ where, text }], foreign(other))]));
      }
    }
    return found;
  }
  const tenant = ({ mailboxes, leads, canary }: SendingUnderFaults) => ({
    senders: mailboxes.map(({ email }) => email),
    recipients: leads.map(({ email }) => email),
    canary,
  });
  const foreign = ({ workspaceId, canary, campaign, mailboxes }: SendingUnderFaults) => ({
    'another workspace': workspaceId,
    'the campaign of another': campaign._id,
    'content of another': canary,
    'a mailbox of another': mailboxes[0]!.email,
  });

  const rounds = Array.from({ length: ROUNDS }, (_, index) => `${SEED}-${index}`);
  it.each(rounds)(
    'each email is sent once, none is lost, and what is forbidden is not done (%s)',
    async (seed) => {
      interruptions = 0;
      fleet.kills = 0;
      const chance = new Chance(seed);
      await fleet.start();
      const worlds = await begun(chance);
      for (let number = 0; number < PHASES; number += 1) {
        if (number > 0) {
          await interrupt(() => fleet.killAll());
          platform.clock.advance((10 + chance.below(100)) * MINUTE_MS);
          await expireLeases(platform);
          await fleet.start();
        }
        await phase(worlds, chance);
      }
      await interrupt(() => fleet.killAll());
      const isSettled = await settled(worlds);
      expect(await broken(worlds)).toEqual([]);
      expect(isSettled).toBe(true);
      for (const world of worlds) {
        const figures = await sendingFigures(platform, world.workspaceId);
        const unexplained = await world.unexplained();
        tell(seed, { kills: fleet.kills, interruptions, unexplained, ...figures });
        expect(figures).toMatchObject({ duplicates: 0, losses: 0 });
        // One email of each mailbox can be on the wire when it is interrupted.
        expect(unexplained).toBeLessThanOrEqual(interruptions * world.mailboxes.length);
      }
    },
    900_000,
  );
});

/** Zones go no further east than 14 hours. */
const EASTERNMOST = 14;

/** Open since the morning, and for one or two minutes more: in a zone where it is the afternoon. */
function closingSoon(now: Date) {
  const ahead = Math.min(17 - now.getUTCHours(), EASTERNMOST);
  const local = (minutes: number) => new Date(now.getTime() + (ahead * 60 + minutes) * MINUTE_MS).toISOString();
  // The sign is the other way round in these names.
  const timezone = ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
  return { timezone, workingDays: [1, 2, 3, 4, 5, 6, 7], startTime: '07:00', endTime: local(2).slice(11, 16) };
}
