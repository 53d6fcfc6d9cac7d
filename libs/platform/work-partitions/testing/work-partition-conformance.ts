import { LeaseLostError, type TransactionService } from '@platform/database';
import { type QueuesService, type QueueName, type RedisClient } from '@platform/queues';
import { eventually } from '@testing';
import { type Model, Types } from 'mongoose';
import { type FakeClock } from '../../../testing';
import { type WorkPartitionFields } from '../work-partition-fields';
import { type WorkPartitionLease, type WorkPartitionService } from '../work-partition.service';

/** The partitions of a domain, on a database of their own. */
export interface PartitionTestEnvironment {
  readonly partitions: WorkPartitionService<WorkPartitionFields>;
  readonly records: Model<WorkPartitionFields>;
  readonly queues: QueuesService;
  readonly redis: RedisClient;
  readonly transactions: TransactionService;
  readonly clock: FakeClock;
  /** Schedules a run of one key. */
  schedule(key: PartitionKey, at: Date): Promise<void>;
  /** Enqueues the scheduled run of the key. */
  enqueue(key: PartitionKey): Promise<void>;
  close(): Promise<void>;
}

/** Ids from which a domain makes its key; keys differ when both ids differ. */
export interface PartitionKey {
  readonly workspaceId: string;
  readonly id: string;
}

const MINUTE_MS = 60_000;
const ALL = { allWorkspaces: 'a test reads what it has written' };
const FOREVER = new AbortController().signal;

/** What each domain may rely on, whatever its keys are. */
export function describeWorkPartitions(
  name: QueueName,
  open: () => Promise<PartitionTestEnvironment>,
  newKey: () => PartitionKey,
): void {
  describe(`the work partitions of ${name}`, () => {
    let environment: PartitionTestEnvironment;
    let partitions: WorkPartitionService<WorkPartitionFields>;

    beforeAll(async () => {
      environment = await open();
      ({ partitions } = environment);
      await eventually('Redis is connected', () => environment.redis.client.status === 'ready');
    });
    afterAll(() => environment.close());
    beforeEach(async () => {
      environment.clock.freeze(new Date('2026-05-04T12:00:00Z'));
      await environment.records.deleteMany({}).setOptions(ALL);
      await environment.queues.get(name).obliterate({ force: true });
    });

    const find = async ({ workspaceId }: PartitionKey) => {
      const [record] = await environment.records
        .find({ workspaceId: new Types.ObjectId(workspaceId) })
        .lean<WorkPartitionFields[]>();
      if (!record) throw new Error('There is no partition of this key');
      return record;
    };
    const jobs = () => environment.queues.get(name).getJobs(['waiting', 'delayed', 'prioritized']);
    const expire = () => environment.records.updateMany({}, { $set: { leaseUntil: new Date(0) } }).setOptions(ALL);
    const now = () => environment.clock.now();

    /** A partition with a due run. */
    async function scheduled(at = now()): Promise<{ key: PartitionKey; id: string }> {
      const key = newKey();
      await environment.schedule(key, at);
      return { key, id: (await find(key))._id.toHexString() };
    }
    async function acquired(id: string): Promise<WorkPartitionLease> {
      const lease = await partitions.acquire(id);
      if (!lease) throw new Error('Another worker holds the lease');
      return lease;
    }

    it('runs at the earliest requested time', async () => {
      const [soon, later] = [environment.clock.in(MINUTE_MS), environment.clock.in(2 * MINUTE_MS)];
      const { key } = await scheduled(later);
      await environment.schedule(key, soon);
      await environment.schedule(key, later);
      expect((await find(key)).nextAt).toEqual(soon);
    });

    it('is leased to one of twenty concurrent workers', async () => {
      const { id } = await scheduled();
      const leases = await Promise.all(Array.from({ length: 20 }, () => partitions.acquire(id)));
      expect(leases.filter((lease) => lease !== null)).toHaveLength(1);
    });

    it('is not leased without a scheduled run', async () => {
      expect(await partitions.acquire('0'.repeat(24))).toBeNull();
    });

    it('schedules and enqueues the next run at the end of a run, or none', async () => {
      const { key, id } = await scheduled();
      const next = environment.clock.in(MINUTE_MS);
      await partitions.run(id, FOREVER, () => Promise.resolve(next));
      expect((await find(key)).nextAt).toEqual(next);
      expect(await jobs()).toMatchObject([{ data: { workspaceId: key.workspaceId, partitionId: id } }]);
      await partitions.run(id, FOREVER, () => Promise.resolve(null));
      expect(await find(key)).not.toHaveProperty('nextAt');
    });

    it('keeps a run that was scheduled during the current one', async () => {
      const { key, id } = await scheduled();
      await partitions.run(id, FOREVER, async () => {
        await environment.schedule(key, now());
        return null;
      });
      expect((await find(key)).nextAt).toEqual(now());
    });

    it('runs nothing while another worker holds the lease', async () => {
      const { id } = await scheduled();
      await acquired(id);
      const work = jest.fn();
      await partitions.run(id, FOREVER, work);
      expect(work).not.toHaveBeenCalled();
    });

    it('stays due during a run, so that the sweep repeats the run of a crashed worker after its lease', async () => {
      const { key, id } = await scheduled();
      await acquired(id);
      environment.clock.advance(MINUTE_MS);
      expect(await partitions.sweep()).toBe(0);
      await expire();
      expect(await partitions.sweep()).toBe(1);
      expect(await jobs()).toMatchObject([{ data: { workspaceId: key.workspaceId, partitionId: id } }]);
    });

    it('gets its missing jobs again after Redis was emptied', async () => {
      const due = await Promise.all(Array.from({ length: 12 }, () => scheduled(environment.clock.in(-MINUTE_MS))));
      await scheduled(environment.clock.in(MINUTE_MS));
      expect(await partitions.sweep()).toBe(due.length);
      expect(await partitions.sweep()).toBe(0);
    });

    it('gets a job for the end of its lease when its worker has missed a renewal', async () => {
      const { key, id } = await scheduled();
      await acquired(id);
      environment.clock.advance(MINUTE_MS);
      await partitions.sweep();
      expect(await jobs()).toEqual([]); // renewed in time
      const leaseUntil = new Date(Date.now() + 5_000);
      await environment.records.updateMany({}, { $set: { leaseUntil } }).setOptions(ALL);
      expect(await partitions.sweep()).toBe(0);
      const [job] = await jobs();
      expect(job).toMatchObject({ data: { workspaceId: key.workspaceId, partitionId: id } });
      expect(job?.opts.delay).toBeGreaterThan(0);
      expect(job?.opts.delay).toBeLessThanOrEqual(5_100);
    });

    it('ends a run without an error when a write finds the lease lost, and its next holder plans', async () => {
      const { key, id } = await scheduled();
      await partitions.run(id, FOREVER, async () => {
        await expire();
        await acquired(id);
        throw new LeaseLostError();
      });
      expect(await find(key)).toMatchObject({ nextAt: now(), fence: 2 });
    });

    it('can be neither renewed nor completed after the lease was lost', async () => {
      const { id } = await scheduled();
      const late = await acquired(id);
      await expire();
      const current = await acquired(id);
      expect(current.fence).toBe(late.fence + 1);
      expect(await partitions.renew(late)).toBe(false);
      expect(await partitions.complete(late, null)).toBe(false);
      expect(await partitions.renew(current)).toBe(true);
    });

    it('aborts the work of a worker whose lease was lost, which then changes nothing', async () => {
      const { key, id } = await scheduled();
      let lateSignal: AbortSignal | undefined;
      await partitions.run(id, FOREVER, async (_lease, signal) => {
        lateSignal = signal;
        await expire();
        await acquired(id);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        throw new Error('The work was aborted');
      });
      expect(lateSignal?.aborted).toBe(true);
      expect((await find(key)).holder).not.toBe('');
    });

    it('is due again after 2, 4, 8 up to 60 seconds when its work fails, and at once after a success', async () => {
      const { key, id } = await scheduled();
      const waits: number[] = [];
      for (let attempt = 0; attempt < 7; attempt += 1) {
        const failing = partitions.run(id, FOREVER, () => Promise.reject(new Error('broken')));
        await expect(failing).rejects.toThrow('broken');
        const waitMs = ((await find(key)).nextAt?.getTime() ?? 0) - now().getTime();
        waits.push(waitMs);
        environment.clock.advance(waitMs);
      }
      expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
      await partitions.run(id, FOREVER, () => Promise.resolve(now()));
      expect(await find(key)).toMatchObject({ nextAt: now(), holder: '' });
      expect(await find(key)).not.toHaveProperty('failedRuns');
    });

    it('is due at once when the process stops: that is no failure of the work', async () => {
      const { key, id } = await scheduled();
      const stopping = new AbortController();
      const stopped = partitions.run(id, stopping.signal, (_lease, signal) => {
        stopping.abort(new Error('The worker is stopping'));
        return Promise.reject(signal.reason as Error);
      });
      await expect(stopped).rejects.toThrow('The worker is stopping');
      expect((await find(key)).nextAt).toEqual(now());
      expect(await find(key)).not.toHaveProperty('failedRuns');
    });

    it('is not enqueued inside a transaction', async () => {
      const { key } = await scheduled();
      const enqueued = environment.transactions.run(() => environment.enqueue(key));
      await expect(enqueued).rejects.toThrow('inside a transaction');
    });
  });
}
