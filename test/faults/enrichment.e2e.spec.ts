import { systemScope } from '@domain/access';
import { CreditsService } from '@domain/credits';
import { EnrichmentWorkPartitionService } from '@domain/enrichment';
import { getConnectionToken } from '@nestjs/mongoose';
import { QueuesService } from '@platform/queues';
import { eventually, LONG } from '@testing';
import { type Connection, Types } from 'mongoose';
import { DnsServer } from '../../libs/adapters/dns/testing';
import { type Job, PATH } from '../enrichment/jobs';
import { type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { dataOf } from '../workspaces/people';
import { Fleet } from './cluster';
import { Chance, SEED, tell } from './seeded';

const WORKERS = LONG ? 4 : 2;
const ITEMS = LONG ? 2_000 : 400;
const ROUNDS = Number(process.env['FAULTS_ROUNDS'] ?? (LONG ? 8 : 2));
/** Longer than items of a dead worker stay in its hand. */
const MISSED_MS = 120_000;

/**
 * Workers, each a process of its own, do the jobs of two workspaces while they are killed and Redis is emptied. Where it strikes
 * follows from the seed and from how far the work has got.
 */
describe(`enrichment jobs whose workers are killed (seed ${SEED})`, () => {
  let platform: Platform;
  let dns: DnsServer;
  let fleet: Fleet;

  beforeAll(async () => {
    // Every second domain takes mail, and no server is asked: nobody knows. The others do not exist, and that is an answer.
    dns = await DnsServer.start({
      '*.up.test': { MX: [{ priority: 10, exchange: 'mx.up.test' }] },
      'mx.up.test': { A: ['5.6.7.8'] },
    });
    platform = await startPlatform({ env: { DNS_SERVERS: dns.address, VERIFICATION_PROBE: 'off' } });
    fleet = await Fleet.of(
      platform,
      Array.from({ length: WORKERS }, () => ({})),
    );
  });
  afterAll(async () => {
    await fleet.killAll();
    await platform.close();
    await dns.close();
  });

  const connection = () => platform.app.get<Connection>(getConnectionToken());
  const isDecisive = (at: number) => at % 2 === 1;
  const email = (at: number) => `person@d${at}.${isDecisive(at) ? 'gone' : 'up'}.test`;
  const read = async ({ key }: SeededWorkspace, { id }: Job) =>
    dataOf<Job>(await platform.api.as(key).get(`${PATH}/${id}`));

  async function begun(): Promise<{ workspace: SeededWorkspace; job: Job }> {
    const workspace = await platform.seed.workspace({ credits: ITEMS + 10 });
    const emails = Array.from({ length: ITEMS }, (_, at) => email(at));
    const body = { type: 'email_verification', emails };
    return { workspace, job: dataOf<Job>(await platform.api.as(workspace.key).post(PATH).send(body).expect(201)) };
  }

  /** What dead workers held is free: as after the time that their leases have. */
  async function missed(): Promise<void> {
    platform.clock.advance(MISSED_MS);
    const over = { $set: { leaseUntil: new Date(0) } };
    await connection().collection('enrichment_work_partitions').updateMany({}, over);
    await platform.app.get(QueuesService).obliterate();
    // Otherwise the sweep of a worker does this, within half a minute.
    await platform.app.get(EnrichmentWorkPartitionService, { strict: false }).sweep();
  }

  /** Lets workers get on for a while, kills one in the middle of something, and then all. */
  async function interrupted(chance: Chance, isFar: () => Promise<boolean>): Promise<void> {
    const gate = Promise.withResolvers<void>();
    // Of the items from some place on nothing is heard any more: what is in hand together with them is lost with its worker.
    const place = ITEMS / 2 + chance.below(ITEMS / 2);
    let unanswered = 0;
    dns.does = ({ name }) => {
      if (Number(/^d(\d+)\./.exec(name)?.[1] ?? 0) < place) return null;
      unanswered += 1;
      return { after: gate.promise };
    };
    await fleet.start();
    // As many as there are, where the place is near the end: each of them is asked for once at least.
    const enough = Math.min(20, ITEMS - place);
    const isAmidst = async () => unanswered >= enough && (await isFar());
    await eventually('workers are in the middle of something', isAmidst, 90_000);
    await fleet.killOne(chance);
    await fleet.killAll();
    gate.resolve();
    dns.does = () => null;
    await missed();
  }

  it('give each item one outcome and take one credit for each decisive one', async () => {
    const chance = new Chance(SEED);
    const all = [await begun(), await begun()];
    const filter = { code: { $in: all.map(({ job }) => job.id) } };
    const done = async () =>
      (await connection().collection('enrichment_jobs').find(filter).toArray()).map((job) =>
        Number(job['processedItems']),
      );
    // Something is written before the first kill, so that there is something that could be written twice.
    for (let round = 0; round < ROUNDS; round += 1) {
      await interrupted(chance, async () => (await done()).every((count) => count > 0));
    }
    const halfway = await done();
    expect(halfway.every((count) => count < ITEMS)).toBe(true);
    await fleet.start();
    await eventually('the jobs are over', async () => (await done()).every((count) => count === ITEMS), 120_000);
    for (const { workspace, job } of all) await expectRight(workspace, job);
    tell(SEED, { kills: fleet.kills, halfway: halfway.join(' and ') });
  }, 600_000);

  async function expectRight(workspace: SeededWorkspace, job: Job): Promise<void> {
    const decisive = ITEMS / 2;
    expect(await read(workspace, job)).toMatchObject({
      status: 'completed',
      metadata: {
        totalItems: ITEMS,
        processedItems: ITEMS,
        successCount: ITEMS,
        failedCount: 0,
        creditsUsed: decisive,
      },
    });
    const filter = { workspaceId: new Types.ObjectId(workspace.workspaceId) };
    const items = await connection().collection('enrichment_items').find(filter).toArray();
    expect(items).toHaveLength(ITEMS);
    const wrong = items.filter((item) => {
      const isInvalid = String(item['email']).endsWith('.gone.test');
      return (
        item['result'] !== (isInvalid ? 'invalid' : 'unknown') ||
        item['charged'] !== isInvalid ||
        item['open'] !== false
      );
    });
    expect(wrong).toEqual([]);
    const credits = platform.app.get(CreditsService, { strict: false });
    const scope = systemScope(workspace.workspaceId);
    expect(await credits.balance(scope)).toEqual({ balance: ITEMS + 10 - decisive, reserved: 0 });
    expect(await credits.verify(scope)).toMatchObject({ ok: true, problems: [] });
    // The grant, the reservation, and what was settled of it: no item was ever charged by itself.
    expect((await credits.entriesOf(scope, { limit: 100 })).items.map(({ kind }) => kind)).toEqual([
      'settle',
      'reserve',
      'grant',
    ]);
    const events = await connection()
      .collection('events')
      .find({ ...filter, type: 'enrichment.completed' })
      .toArray();
    expect(events).toHaveLength(1);
  }
});
