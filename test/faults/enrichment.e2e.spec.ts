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
/** Longer than the lease on the items of a crashed worker. */
const MISSED_MS = 120_000;

/**
 * Several worker processes run the jobs of two workspaces while they are killed and Redis is emptied. The moment of a
 * kill depends on the seed and on the progress of the work.
 */
describe(`enrichment jobs whose workers are killed (seed ${SEED})`, () => {
  let platform: Platform;
  let dns: DnsServer;
  let fleet: Fleet;

  beforeAll(async () => {
    // Every second domain accepts mail, but no server is asked, so the verdict is unknown. The others do not exist,
    // which is a verdict.
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

  /** Expires the leases of crashed workers, as their time limit does. */
  async function missed(): Promise<void> {
    platform.clock.advance(MISSED_MS);
    const over = { $set: { leaseUntil: new Date(0) } };
    await connection().collection('enrichment_work_partitions').updateMany({}, over);
    await platform.app.get(QueuesService).obliterate();
    // Otherwise a worker’s sweep does this within half a minute.
    await platform.app.get(EnrichmentWorkPartitionService, { strict: false }).sweep();
  }

  /** Lets workers run for a while, kills one at work, and then all. */
  async function interrupted(chance: Chance, isFar: () => Promise<boolean>): Promise<void> {
    const gate = Promise.withResolvers<void>();
    // From some item on, no query is answered: the items in progress are lost with their worker.
    const place = ITEMS / 2 + chance.below(ITEMS / 2);
    let unanswered = 0;
    dns.does = ({ name }) => {
      if (Number(/^d(\d+)\./.exec(name)?.[1] ?? 0) < place) return null;
      unanswered += 1;
      return { after: gate.promise };
    };
    await fleet.start();
    // Near the end, the remaining items: each of them is queried at least once.
    const enough = Math.min(20, ITEMS - place);
    const isAmidst = async () => unanswered >= enough && (await isFar());
    await eventually('workers are at work', isAmidst, 90_000);
    await fleet.killOne(chance);
    await fleet.killAll();
    gate.resolve();
    dns.does = () => null;
    await missed();
  }

  it('give each item one outcome and charge one credit for each decisive one', async () => {
    const chance = new Chance(SEED);
    const all = [await begun(), await begun()];
    const filter = { code: { $in: all.map(({ job }) => job.id) } };
    const done = async () =>
      (await connection().collection('enrichment_jobs').find(filter).toArray()).map((job) =>
        Number(job['processedItems']),
      );
    // Some results are written before the first kill, so that a duplicate write is possible.
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
    // The grant, the reservation and its settlement: no item is charged separately.
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
