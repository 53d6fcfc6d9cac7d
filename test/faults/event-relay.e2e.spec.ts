import { systemScope } from '@domain/access';
import { EventsService } from '@domain/events';
import { LONG } from '@testing';
import { getConnectionToken } from '@nestjs/mongoose';
import { type Connection, Types } from 'mongoose';
import { happening } from '../../libs/domain/events/testing';
import { newCampaign } from '../campaigns/campaigns';
import { type Platform, startPlatform } from '../harness';
import { isEventually } from '../harness/sending';
import { Fleet } from './cluster';
import { Chance, SEED, tell } from './seeded';

const EVENTS = LONG ? 20_000 : 1_200;
const WORKSPACES = LONG ? 40 : 6;
const KILLS = LONG ? 8 : 2;
/** Events of a workspace that are recorded together. */
const AT_ONCE = 100;
const WITHIN_MS = LONG ? 30_000 : 120_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface Recording {
  readonly workspaceId: string;
  readonly campaignId: string;
}

/** What the subscribers have written about a workspace: each event counts once in each of them. */
interface Effects {
  readonly days: number;
  readonly bounces: number;
  readonly deliveries: number;
  readonly delivered: number;
}

/** Worker processes, as in production, relay events of many workspaces, one of them broken, and are killed meanwhile. */
describe(`the event relay and workers that are killed (seed ${SEED})`, () => {
  const chance = new Chance(SEED);
  const each = EVENTS / WORKSPACES;
  let platform: Platform;
  let fleet: Fleet;
  let all: Recording[];

  beforeAll(async () => {
    platform = await startPlatform();
    // Nothing but the clock's tasks: webhooks do not deliver.
    const env = { WORKER_QUEUES: 'periodic' };
    fleet = await Fleet.of(platform, [env, env]);
    all = [];
    for (let index = 0; index < WORKSPACES; index += 1) all.push(await createRecording());
  });
  afterAll(async () => {
    await fleet.killAll();
    await platform.close();
  });

  async function createRecording(): Promise<Recording> {
    const workspace = await platform.seed.workspace();
    const { _id: campaignId } = await newCampaign(platform, workspace);
    const webhook = { name: 'Receiver', url: 'http://127.0.0.1:9/', events: ['email.sent'] };
    expect((await platform.api.as(workspace.key).post('/v1/webhooks').send(webhook)).status).toBe(201);
    return { workspaceId: workspace.workspaceId, campaignId };
  }

  const stored = (name: string) => platform.app.get<Connection>(getConnectionToken()).collection(name);

  /** Makes the subscriber that counts by day fail for each event of the campaign. */
  async function breakDays({ workspaceId, campaignId }: Recording): Promise<void> {
    const today = Math.floor(platform.clock.now().getTime() / DAY_MS) * DAY_MS;
    await stored('campaign_days').insertMany(
      [today, today + DAY_MS].map((day) => ({
        workspaceId: new Types.ObjectId(workspaceId),
        campaignId: new Types.ObjectId(campaignId),
        mailboxId: null,
        day: new Date(day),
        figures: 'not an object',
      })),
    );
  }

  async function record({ workspaceId, campaignId }: Recording, from: number): Promise<void> {
    const about = { campaignId };
    const events = Array.from({ length: Math.min(AT_ONCE, each - from) }, (_, index) =>
      happening('email.sent', `fault:${from + index}`, { about }),
    );
    await platform.app.get(EventsService).recordAll(systemScope(workspaceId), events);
  }

  async function readEffects({ workspaceId, campaignId }: Recording): Promise<Effects> {
    const filter = { workspaceId: new Types.ObjectId(workspaceId) };
    const sum = async (name: string, of: object, field: string) => {
      const records = await stored(name)
        .aggregate<{ sum: number }>([
          { $match: { ...filter, ...of } },
          { $group: { _id: null, sum: { $sum: `$${field}` } } },
        ])
        .toArray();
      return records[0]?.sum ?? 0;
    };
    const events = await stored('webhook_deliveries').distinct('eventId', filter);
    return {
      days: await sum('campaign_days', { campaignId: new Types.ObjectId(campaignId) }, 'figures.sent'),
      bounces: await sum('bounce_tallies', { subject: `campaign:${campaignId}` }, 'sends'),
      deliveries: await stored('webhook_deliveries').countDocuments(filter),
      delivered: events.length,
    };
  }

  /** The ids of the workspace's events that are not relayed, each as often as it is stored. */
  async function listPending({ workspaceId }: Recording): Promise<string[]> {
    const filter = { workspaceId: new Types.ObjectId(workspaceId) };
    const waiting = await stored('event_outbox').find(filter).toArray();
    const deferred = await stored('event_deferred').find(filter).toArray();
    return [...waiting.flatMap(({ eventIds }) => eventIds as Types.ObjectId[]), ...deferred.map(({ _id }) => _id)]
      .map(String)
      .toSorted();
  }

  it(
    `passes each of ${EVENTS} events to every subscriber once, and a broken workspace holds up no other`,
    async () => {
      const [broken, ...healthy] = all as [Recording, ...Recording[]];
      await breakDays(broken);
      await fleet.start();
      let lastRestart = performance.now();
      const rounds = Math.ceil(each / AT_ONCE);
      const chunks = all.flatMap((one) =>
        Array.from({ length: rounds }, (_, round) => ({ one, from: round * AT_ONCE })),
      );
      for (const [index, { one, from }] of chance.shuffled(chunks).entries()) {
        await record(one, from);
        if (index % Math.floor(chunks.length / KILLS) > 0) continue;
        await fleet.killOne(chance);
        lastRestart = performance.now();
      }
      const others = { workspaceId: { $ne: new Types.ObjectId(broken.workspaceId) } };
      const left = await stored('event_outbox').countDocuments(others);
      const isRelayed = async () =>
        (await stored('event_outbox').countDocuments(others)) +
          (await stored('event_deferred').countDocuments(others)) ===
        0;
      expect(await isEventually(isRelayed, lastRestart + WITHIN_MS - performance.now())).toBe(true);
      const seconds = ((performance.now() - lastRestart) / 1_000).toFixed(1);
      const kills = fleet.kills;
      const once = { days: each, bounces: each, deliveries: each, delivered: each };
      for (const one of healthy) expect({ ...one, ...(await readEffects(one)) }).toEqual({ ...one, ...once });

      // Nothing of the broken workspace is lost, and no other subscriber has its events yet.
      await fleet.killAll();
      expect(await readEffects(broken)).toEqual({ days: 0, bounces: 0, deliveries: 0, delivered: 0 });
      const ofBroken = { workspaceId: new Types.ObjectId(broken.workspaceId) };
      const recorded = await stored('events')
        .find({ ...ofBroken, type: 'email.sent' })
        .project({ _id: 1 })
        .toArray();
      expect(await listPending(broken)).toEqual(recorded.map(({ _id }) => String(_id)).toSorted());

      await stored('campaign_days').deleteMany({ ...ofBroken, figures: 'not an object' });
      platform.clock.advance(2 * HOUR_MS);
      await fleet.start();
      const isRepaired = async () => (await listPending(broken)).length === 0;
      expect(await isEventually(isRepaired, 2 * WITHIN_MS)).toBe(true);
      for (const one of all) expect({ ...one, ...(await readEffects(one)) }).toEqual({ ...one, ...once });
      tell(SEED, {
        events: EVENTS,
        kills,
        'entries at the end of recording': left,
        'seconds after the last restart': seconds,
      });
    },
    20 * WITHIN_MS,
  );
});
