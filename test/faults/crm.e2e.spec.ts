import { CrmWorkPartitionService } from '@domain/crm';
import { getConnectionToken } from '@nestjs/mongoose';
import { QueuesService } from '@platform/queues';
import { eventually, LONG } from '@testing';
import { type Connection, Types } from 'mongoose';
import { HubSpotServer } from '../../libs/adapters/crm/testing';
import { type Platform, startPlatform, violations } from '../harness';
import { CrmUser, hubspotEnv, type SyncJob } from '../integrations/crm';
import { Fleet } from './cluster';
import { Chance, SEED, tell } from './seeded';

const WORKERS = 2;
const PEOPLE = LONG ? 2_000 : 600;
const ROUNDS = LONG ? 6 : 2;
/** People of one page of a pull, and of one other request. */
const PAGE = 200;
const BATCH = 100;
/** Longer than the lease of a dead worker, than the CRM needs to show what became of a write, and than a lane ever rests after failures. */
const MISSED_MS = 2_400_000;
const REFUSED = { status: 503 };
const CUT = ['done but cut', 'cut'] as const;
/** What can become of the first requests of workers that have just started. */
const STRUCK = [[], [REFUSED], [REFUSED, REFUSED], [CUT[0]], [CUT[1]]] as const;

const isOver = ({ status }: SyncJob) => status === 'completed';

/**
 * Workers, each a process of its own, bring people from a CRM and to it while they are killed and Redis is emptied. Where it strikes
 * follows from the seed and from how far the work has got.
 */
describe(`syncs with a CRM whose workers are killed (seed ${SEED})`, () => {
  let platform: Platform;
  let hubspot: HubSpotServer;
  let fleet: Fleet;

  beforeAll(async () => {
    hubspot = await new HubSpotServer().listen();
    const env = hubspotEnv(hubspot);
    platform = await startPlatform({ env });
    fleet = await Fleet.of(
      platform,
      Array.from({ length: WORKERS }, () => env),
    );
  });
  afterAll(async () => {
    await fleet.killAll();
    await platform.close();
    await hubspot.close();
  });

  const connection = () => platform.app.get<Connection>(getConnectionToken());
  const address = (kind: string, at: number) => `${kind}-${at}@people.example`;

  /** What dead workers held is free: as after the time that their leases have. */
  async function missed(): Promise<void> {
    platform.clock.advance(MISSED_MS);
    await connection()
      .collection('crm_work_partitions')
      .updateMany({}, { $set: { leaseUntil: new Date(0) } });
    await platform.app.get(QueuesService).obliterate();
    // Otherwise the sweep of a worker does this, within half a minute.
    await platform.app.get(CrmWorkPartitionService, { strict: false }).sweep();
  }

  /** Lets workers get on, kills them in the middle of a request of which everything or nothing was done, and empties Redis. */
  async function interrupted(chance: Chance, user: CrmUser, job: SyncJob): Promise<void> {
    const struck = chance.pick(STRUCK);
    // After a failure its lane rests, the longer the more there were in a row: only those who meet none get further.
    const enough = hubspot.count + 1 + (struck.length === 0 ? chance.below(3) : 0);
    hubspot.next(...struck);
    await fleet.start();
    await eventually(
      'workers have asked for something',
      async () => hubspot.count >= enough || isOver(await user.read(job.id)),
      90_000,
    );
    hubspot.next(chance.pick(CUT));
    await fleet.killOne(chance);
    await fleet.killAll();
    // Otherwise they add up, and the lane rests for longer than anybody waits here.
    hubspot.calm();
    await missed();
  }

  async function finished(user: CrmUser, job: SyncJob): Promise<SyncJob> {
    await fleet.start();
    await eventually('the sync is over', async () => isOver(await user.read(job.id)), 180_000);
    await fleet.killAll();
    return user.read(job.id);
  }

  it('bring everybody once, in as many requests as it takes', async () => {
    const chance = new Chance(SEED);
    const user = await CrmUser.of(platform);
    for (let at = 0; at < PEOPLE; at += 1) {
      hubspot.store.add({ emails: [address('there', at)], fields: { firstname: `F${at}` } });
    }
    const beforePull = hubspot.count;
    const pull = await user.sync({ jobType: 'pull', campaignId: user.campaignId });
    for (let round = 0; round < ROUNDS; round += 1) await interrupted(chance, user, pull);
    expect(await finished(user, pull)).toMatchObject({
      totalRecords: PEOPLE,
      processedRecords: PEOPLE,
      importedCount: PEOPLE,
      failedRecords: 0,
    });
    const own = { workspaceId: new Types.ObjectId(user.workspace.workspaceId) };
    expect(await connection().collection('campaign_leads').countDocuments(own)).toBe(PEOPLE);

    for (let from = 0; from < PEOPLE; from += BATCH * 5) {
      const leads = Array.from({ length: Math.min(BATCH * 5, PEOPLE - from) }, (_, at) => ({
        email: address('here', from + at),
      }));
      await user.api.post(`/v1/campaigns/${user.campaignId}/leads`).send({ leads }).expect(201);
    }
    const beforePush = hubspot.count;
    const push = await user.sync({ jobType: 'push' });
    for (let round = 0; round < ROUNDS; round += 1) await interrupted(chance, user, push);
    const pushed = await finished(user, push);
    expect(pushed).toMatchObject({ processedRecords: 2 * PEOPLE, failedRecords: 0 });
    expect(hubspot.store.size).toBe(2 * PEOPLE);
    for (let at = 0; at < PEOPLE; at += 1) expect(hubspot.store.withEmail(address('here', at))).toHaveLength(1);
    expect(await violations(platform, user.workspace.workspaceId)).toEqual([]);
    // As the CRM counts them: what a worker had asked when it was killed is in no figure of ours.
    const figures = { pull: beforePush - beforePull, push: hubspot.count - beforePush };
    // In each round two may be refused, and the requests of one batch are lost with its worker and asked again.
    const lost = { pull: ROUNDS * (2 + 2), push: ROUNDS * (2 + 2 * 2) };
    expect(figures.pull).toBeLessThanOrEqual(1.1 * (PEOPLE / PAGE + 1) + lost.pull);
    // Of those who came by the pull nothing is asked; the others are found and written.
    expect(figures.push).toBeLessThanOrEqual(1.1 * ((2 * PEOPLE) / BATCH) + lost.push);
    tell(SEED, { kills: fleet.kills, ...figures });
  }, 900_000);
});
