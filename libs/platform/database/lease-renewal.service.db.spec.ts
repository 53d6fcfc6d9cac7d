import { getModelToken } from '@nestjs/mongoose';
import { getSeries, openTestDatabase, type TestDatabase } from '@testing';
import { type Model, mongo } from 'mongoose';
import { type LeaseHeartbeat } from './lease-heartbeat';
import { LeaseRecord } from './lease.record';
import { LeaseRenewalService } from './lease-renewal.service';
import { type Lease, LeaseService } from './lease.service';

const FOREVER = new AbortController().signal;

describe('LeaseRenewalService', () => {
  let database: TestDatabase;
  let leases: LeaseService;
  let records: Model<LeaseRecord>;
  let updateMany: jest.SpyInstance;
  const heartbeats: LeaseHeartbeat[] = [];

  beforeAll(async () => {
    database = await openTestDatabase({});
    leases = database.module.get(LeaseService);
    records = database.module.get(getModelToken(LeaseRecord.name), { strict: false });
  });
  afterAll(() => database.close());
  beforeEach(() => {
    updateMany = jest.spyOn(mongo.Collection.prototype, 'updateMany');
  });
  afterEach(async () => {
    for (const heartbeat of heartbeats.splice(0)) heartbeat.end();
    jest.restoreAllMocks();
    await records.deleteMany({});
  });

  async function kept(name: string): Promise<{ lease: Lease; heartbeat: LeaseHeartbeat }> {
    const lease = (await leases.acquire(name, 1_000))!;
    const stored = { _id: name, holder: lease.holder };
    const heartbeat = database.module.get(LeaseRenewalService).keep(records, 'expiresAt', stored, FOREVER);
    heartbeats.push(heartbeat);
    return { lease, heartbeat };
  }
  const beatAll = () => Promise.all(heartbeats.map((heartbeat) => heartbeat.beat()));
  const remainingMs = async () => {
    const found = await records.aggregate<{ ms: number }>([
      { $project: { ms: { $subtract: ['$expiresAt', '$$NOW'] } } },
    ]);
    return found.map(({ ms }) => ms);
  };

  it('renews all leases of the process by one command', async () => {
    for (let index = 0; index < 20; index += 1) await kept(`lease-${index}`);
    await beatAll();
    expect(updateMany).toHaveBeenCalledTimes(1);
    expect(Math.min(...(await remainingMs()))).toBeGreaterThan(5_000);
    expect(heartbeats.some(({ isExpired }) => isExpired)).toBe(false);
  });

  it('ends only the runs whose lease another worker has acquired, and counts them', async () => {
    const before = await getSeries(database.module, 'outreach_leases_lost_total');
    const [one, other, third] = [await kept('one'), await kept('other'), await kept('third')];
    await leases.release(other.lease);
    const next = await leases.acquire('other', 1_000);
    await beatAll();
    expect([one, other, third].map(({ heartbeat }) => heartbeat.signal.aborted)).toEqual([false, true, false]);
    expect(await records.findById('other').lean()).toMatchObject({ holder: next!.holder });
    expect(await getSeries(database.module, 'outreach_leases_lost_total')).toBe(before + 1);
  });

  it('keeps the leases when a command fails, and renews them with the next one', async () => {
    const { heartbeat } = await kept('kept');
    updateMany.mockRejectedValueOnce(new Error('no primary'));
    await beatAll();
    expect(heartbeat.isExpired).toBe(false);
    await beatAll();
    expect((await remainingMs())[0]).toBeGreaterThan(5_000);
  });

  it('has connections of its own, which a full pool does not block', async () => {
    const { heartbeat } = await kept('own');
    const pool = records.db.getClient();
    await heartbeat.beat();
    expect((updateMany.mock.contexts[0] as mongo.Collection & { client: unknown }).client).not.toBe(pool);
    expect((await remainingMs())[0]).toBeGreaterThan(5_000);
  });
});
