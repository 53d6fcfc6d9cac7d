import { systemScope } from '@domain/access';
import { CreditsService } from '@domain/credits';
import { EnrichmentLanes } from '@domain/enrichment';
import { getConnectionToken } from '@nestjs/mongoose';
import { Queues } from '@platform/queues';
import { eventually } from '@testing';
import { type Connection, Types } from 'mongoose';
import { DnsServer } from '../../libs/adapters/dns/testing';
import { type Job, PATH } from '../enrichment/jobs';
import { type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { dataOf } from '../workspaces/people';
import { Fleet } from './fleet';
import { Chance, LONG, SEED, tell } from './seeded';

const WORKERS = 3;
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
    await connection().collection('enrichment_lanes').updateMany({}, over);
    await platform.app.get(Queues).obliterate();
    // Otherwise the sweep of a worker does this, within half a minute.
    await platform.app.get(EnrichmentLanes, { strict: false }).sweep();
  }

  /** Lets workers get on for a while, kills some of them in the middle of it, and then all. */
  async function interrupted(chance: Chance): Promise<void> {
    const gate = Promise.withResolvers<void>();
    const from = dns.queries.length;
    const most = from + 20 + chance.below(ITEMS / 4);
    // From some point on, nobody is answered any more: all that is in hand then is lost with its worker.
    dns.does = () => (dns.queries.length > most ? { after: gate.promise } : null);
    await fleet.start();
    await eventually('workers are in the middle of something', () => dns.queries.length > most, 90_000);
    await fleet.killOne(chance);
    await fleet.killAll();
    gate.resolve();
    dns.does = () => null;
    await missed();
  }

  it('give each item one outcome and take one credit for each decisive one', async () => {
    const chance = new Chance(SEED);
    const all = [await begun(), await begun()];
    for (let round = 0; round < ROUNDS; round += 1) await interrupted(chance);
    const halfway = await Promise.all(all.map(({ workspace, job }) => read(workspace, job)));
    await fleet.start();
    for (const { workspace, job } of all) {
      await eventually('the job is over', async () => (await read(workspace, job)).completedAt !== null, 120_000);
    }
    for (const { workspace, job } of all) await expectRight(workspace, job);
    tell(SEED, { kills: fleet.kills, halfway: halfway.map(({ metadata }) => metadata.processedItems).join(' and ') });
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
