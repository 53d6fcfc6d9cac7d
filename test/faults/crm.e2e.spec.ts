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
/** People in one page of a pull, and in any other request. */
const PAGE = 200;
const BATCH = 100;
/**
 * Longer than the lease of a crashed worker, the time until a CRM shows a write, and the longest cooldown of a
 * partition.
 */
const MISSED_MS = 2_400_000;
const REFUSED = { status: 503 };
const CUT = ['done but cut', 'cut'] as const;
/** Possible failures of the first requests of newly started workers. */
const STRUCK = [[], [REFUSED], [REFUSED, REFUSED], [CUT[0]], [CUT[1]]] as const;

const isOver = ({ status }: SyncJob) => status === 'completed';

/**
 * Several worker processes sync people with a CRM in both directions while they are killed and Redis is emptied. The
 * moment of a kill depends on the seed and on the progress of the work.
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

  /** Expires the leases of crashed workers, as their time limit does. */
  async function missed(): Promise<void> {
    platform.clock.advance(MISSED_MS);
    await connection()
      .collection('crm_work_partitions')
      .updateMany({}, { $set: { leaseUntil: new Date(0) } });
    await platform.app.get(QueuesService).obliterate();
    // Otherwise a worker’s sweep does this within half a minute.
    await platform.app.get(CrmWorkPartitionService, { strict: false }).sweep();
  }

  /**
   * Lets workers make progress, kills them during a request that was carried out in full or not at all, and empties
   * Redis.
   */
  async function interrupted(chance: Chance, user: CrmUser, job: SyncJob): Promise<void> {
    const struck = chance.pick(STRUCK);
    // Each failure extends the cooldown of the partition: only workers without a failure make further progress.
    const enough = hubspot.count + 1 + (struck.length === 0 ? chance.below(3) : 0);
    hubspot.next(...struck);
    await fleet.start();
    await eventually(
      'workers have sent requests',
      async () => hubspot.count >= enough || isOver(await user.read(job.id)),
      90_000,
    );
    hubspot.next(chance.pick(CUT));
    await fleet.killOne(chance);
    await fleet.killAll();
    // Otherwise failures add up, and the cooldown exceeds the timeout of this test.
    hubspot.calm();
    await missed();
  }

  async function finished(user: CrmUser, job: SyncJob): Promise<SyncJob> {
    await fleet.start();
    await eventually('the sync is over', async () => isOver(await user.read(job.id)), 180_000);
    await fleet.killAll();
    return user.read(job.id);
  }

  it('transfer each person once, with the necessary number of requests', async () => {
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
    // Counted by the CRM: the last requests of a killed worker are in no figure of the platform.
    const figures = { pull: beforePush - beforePull, push: hubspot.count - beforePush };
    // Each round may lose two requests to failures, and the requests of one batch with its worker.
    const lost = { pull: ROUNDS * (2 + 2), push: ROUNDS * (2 + 2 * 2) };
    expect(figures.pull).toBeLessThanOrEqual(1.1 * (PEOPLE / PAGE + 1) + lost.pull);
    // People from the pull need no request; the others are searched for and written.
    expect(figures.push).toBeLessThanOrEqual(1.1 * ((2 * PEOPLE) / BATCH) + lost.push);
    tell(SEED, { kills: fleet.kills, ...figures });
  }, 900_000);
});
