import { getModelToken } from '@nestjs/mongoose';
import { openTestDatabase, type TestDatabase } from '@testing';
import { type Model } from 'mongoose';
import { LeaseLostError } from './lease-lost.errors';
import { LeaseRecord } from './lease.record';
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

  describe('runs work under a lease', () => {
    const FOREVER = new AbortController().signal;

    it('which no other process gets meanwhile, and releases it', async () => {
      const other = jest.fn();
      const result = await leases.runUnderLease('work', FOREVER, async () => {
        expect(await leases.runUnderLease('work', FOREVER, other)).toBeNull();
        return 'done';
      });
      expect(result).toBe('done');
      expect(other).not.toHaveBeenCalled();
      expect(await leases.runUnderLease('work', FOREVER, () => Promise.resolve('next'))).toBe('next');
    });

    it('and releases it after an error', async () => {
      const failing = leases.runUnderLease('failing', FOREVER, () => Promise.reject(new Error('broken')));
      await expect(failing).rejects.toThrow('broken');
      expect(await leases.acquire('failing', MINUTE)).not.toBeNull();
    });

    it('and aborts it when another process has acquired the lease, which then stays with that process', async () => {
      const records = database.module.get<Model<LeaseRecord>>(getModelToken(LeaseRecord.name), { strict: false });
      const lost = leases.runUnderLease('lost', FOREVER, async (signal) => {
        await records.updateOne({ _id: 'lost' }, { $set: { expiresAt: new Date(0) } });
        await leases.acquire('lost', MINUTE);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        signal.throwIfAborted();
      });
      await expect(lost).rejects.toThrow(LeaseLostError);
      expect(await leases.acquire('lost', MINUTE)).toBeNull();
    });

    it('and aborts it when the process stops, which loses no lease', async () => {
      const stopping = new AbortController();
      const stopped = leases.runUnderLease('stopped', stopping.signal, (signal) => {
        stopping.abort(new Error('The worker is stopping'));
        return Promise.reject(signal.reason as Error);
      });
      await expect(stopped).rejects.toThrow('The worker is stopping');
      expect(await leases.acquire('stopped', MINUTE)).not.toBeNull();
    });
  });

  it('grants a new lease to exactly one of many simultaneous callers', async () => {
    for (let round = 0; round < 20; round++) {
      const asking = Array.from({ length: 12 }, () => leases.acquire(`new-${round}`, 60_000));
      expect((await Promise.all(asking)).filter((lease) => lease !== null)).toHaveLength(1);
    }
  });
});
