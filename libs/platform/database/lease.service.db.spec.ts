import { openTestDatabase, type TestDatabase } from '@testing';
import { LeaseService } from './lease.service';

const MINUTE = 60_000;

describe('LeaseService', () => {
  let database: TestDatabase;
  let leases: LeaseService;

  beforeAll(async () => {
    database = await openTestDatabase({});
    leases = database.module.get(LeaseService);
  });
  afterAll(() => database.close());

  it('grants a lease to exactly one of many simultaneous callers', async () => {
    const asked = await Promise.all(Array.from({ length: 20 }, () => leases.acquire('race', MINUTE)));
    expect(asked.filter((lease) => lease !== null)).toHaveLength(1);
  });

  it('grants an expired lease to exactly one of many callers, with the next fence number', async () => {
    const first = await leases.acquire('expired', -1);
    const asked = await Promise.all(Array.from({ length: 20 }, () => leases.acquire('expired', MINUTE)));
    const won = asked.filter((lease) => lease !== null);
    expect(won).toHaveLength(1);
    expect(won[0]!.fence).toBe(first!.fence + 1);
  });

  it('grants a released lease to the next caller', async () => {
    const first = await leases.acquire('released', MINUTE);
    expect(await leases.acquire('released', MINUTE)).toBeNull();
    await leases.release(first!);
    expect(await leases.acquire('released', MINUTE)).toMatchObject({ fence: 2 });
  });

  it('renews for its holder only', async () => {
    const lost = await leases.acquire('renewed', -1);
    const held = await leases.acquire('renewed', MINUTE);
    expect(await leases.renew(lost!, MINUTE)).toBe(false);
    expect(await leases.renew(held!, MINUTE)).toBe(true);
    await leases.release(lost!);
    expect(await leases.acquire('renewed', MINUTE)).toBeNull();
  });

  it('grants a new lease to exactly one of many simultaneous callers', async () => {
    for (let round = 0; round < 20; round++) {
      const asking = Array.from({ length: 12 }, () => leases.acquire(`new-${round}`, 60_000));
      expect((await Promise.all(asking)).filter((lease) => lease !== null)).toHaveLength(1);
    }
  });
});
