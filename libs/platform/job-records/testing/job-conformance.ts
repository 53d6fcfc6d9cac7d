import { type Type } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import { DatabaseModule, TransactionService } from '@platform/database';
import { QueuesModule, QueuesService } from '@platform/queues';
import { type Model, Types } from 'mongoose';
import { openTestDatabase, type TestDatabase } from '../../../testing';
import { type JobFields } from '../job-fields';
import { type JobRecordService } from '../job-record.service';
import { JobSupersededError } from '../job-superseded.errors';

/** The classes of a domain, and the fields that its jobs require. */
export interface JobClasses {
  readonly record: Type<JobFields>;
  readonly queue: Type<unknown>;
  readonly service: Type<JobRecordService<JobFields>>;
  /** Provided with a repository that knows every workspace but `DELETED`. */
  readonly workspaces: abstract new (...args: never[]) => unknown;
  readonly createJob: () => object;
  readonly maxAttempts: number;
}

const ALL = { allWorkspaces: 'a test reads what it has written' };
const FOREVER = new AbortController().signal;
const DELETED = '0'.repeat(24);
const filterAlive = (ids: readonly string[]) => Promise.resolve(new Set(ids.filter((id) => id !== DELETED)));

/** What each domain may rely on, whatever its jobs do. */
export function describeJobs({ record, queue, service, workspaces, createJob, maxAttempts }: JobClasses): void {
  describe(`the jobs of ${record.name}`, () => {
    let database: TestDatabase;
    let jobs: JobRecordService<JobFields>;
    let records: Model<JobFields>;
    let transactions: TransactionService;

    beforeAll(async () => {
      const imports = [QueuesModule, DatabaseModule.collections(record)];
      const providers = [queue, service, { provide: workspaces, useValue: { filterAlive } }];
      database = await openTestDatabase({ imports, providers });
      jobs = database.module.get(service);
      records = database.module.get<Model<JobFields>>(getModelToken(record.name), { strict: false });
      transactions = database.module.get(TransactionService, { strict: false });
    });
    afterAll(async () => {
      await database.module.get(QueuesService, { strict: false }).obliterate();
      await database.close();
    });
    beforeEach(() => database.clock.freeze(new Date('2026-05-04T12:00:00Z')));

    async function created(workspaceId = new Types.ObjectId().toHexString()): Promise<string> {
      const fields = { ...createJob(), nextAt: database.clock.now(), workspaceId: new Types.ObjectId(workspaceId) };
      const { _id } = await records.create(fields as never);
      return _id.toHexString();
    }
    const find = (id: string) => records.findById(id).setOptions(ALL).lean<JobFields>().orFail();
    const expire = (id: string) =>
      records.updateOne({ _id: id }, { $set: { leaseUntil: new Date(0) } }).setOptions(ALL);
    const end = (job: JobFields) => jobs.end(job, {});

    it('is begun once, and ended once by its run', async () => {
      const id = await created();
      await jobs.runJob(id, FOREVER, async (job) => void (await end(job)));
      const work = jest.fn();
      await jobs.runJob(id, FOREVER, work);
      expect(work).not.toHaveBeenCalled();
      const now = database.clock.now();
      expect(await find(id)).toMatchObject({ open: false, startedAt: now, completedAt: now, holder: '' });
      expect(await find(id)).not.toHaveProperty('nextAt');
    });

    it('has one worker at a time', async () => {
      const id = await created();
      const second = jest.fn();
      await jobs.runJob(id, FOREVER, async (job) => {
        await jobs.runJob(id, FOREVER, second);
        await end(job);
      });
      expect(second).not.toHaveBeenCalled();
    });

    it('continues with another worker after a crash, as soon as the lease has expired', async () => {
      const id = await created();
      await jobs.acquire(id);
      database.clock.advance(60_000);
      expect(await jobs.sweep()).toBe(0);
      await expire(id);
      expect(await jobs.sweep()).toBe(1);
      await jobs.runJob(id, FOREVER, async (job) => void (await end(job)));
      expect(await find(id)).toMatchObject({ open: false });
    });

    it('is due again with a back-off after an error, and at once after a shutdown', async () => {
      const id = await created();
      await expect(jobs.runJob(id, FOREVER, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
      expect(await find(id)).toMatchObject({ open: true, nextAt: database.clock.in(2_000), holder: '' });
      const stopping = new AbortController();
      const stopped = jobs.runJob(id, stopping.signal, (_job, signal) => {
        stopping.abort(new Error('The worker is stopping'));
        return Promise.reject(signal.reason as Error);
      });
      await expect(stopped).rejects.toThrow('The worker is stopping');
      expect(await find(id)).toMatchObject({ open: true, nextAt: database.clock.now(), holder: '' });
    });

    it('writes nothing more after a cancel, which needs no lease', async () => {
      const id = await created();
      await jobs.runJob(id, FOREVER, async (job) => {
        await jobs.writeProgress(job, {});
        await jobs.close(job, {});
        await expect(jobs.writeProgress(job, {})).rejects.toThrow(JobSupersededError);
        await end(job);
      });
      expect(await find(id)).toMatchObject({ open: false, holder: '' });
      expect(await find(id)).not.toHaveProperty('nextAt');
    });

    it('is cancelled although its progress is written at the same time', async () => {
      const id = await created();
      await jobs.runJob(id, FOREVER, async (job) => {
        const write = (): Promise<unknown> => transactions.run(() => jobs.writeProgress(job, {})).then(write);
        const writing = write().catch((error: unknown) => error);
        await transactions.run(() => jobs.close(job, {}));
        expect(await writing).toBeInstanceOf(JobSupersededError);
      });
      expect(await find(id)).toMatchObject({ open: false });
    });

    it('is not changed by a worker whose lease was lost', async () => {
      const id = await created();
      await jobs.runJob(id, FOREVER, async (late) => {
        await expire(id);
        await jobs.runJob(id, FOREVER, async (job) => {
          await expect(jobs.writeProgress(late, {})).rejects.toThrow(JobSupersededError);
          await expect(jobs.end(late, {})).rejects.toThrow(JobSupersededError);
          await jobs.writeProgress(job, {});
        });
      });
      expect(await find(id)).toMatchObject({ open: true });
    });

    it('is final', async () => {
      const id = await created();
      await jobs.runJob(id, FOREVER, async (job) => {
        await end(job);
        await expect(end(job)).rejects.toThrow(JobSupersededError);
        await expect(jobs.close(job, {})).rejects.toThrow(JobSupersededError);
      });
    });

    it('is stuck after its maximum of runs without progress', async () => {
      const id = await created();
      const stuck: boolean[] = [];
      const crash = (job: JobFields) => {
        stuck.push(jobs.isStuck(job));
        return Promise.reject(new Error('killed'));
      };
      for (let run = 0; run <= maxAttempts; run += 1) await jobs.runJob(id, FOREVER, crash).catch(() => undefined);
      expect(stuck).toEqual([...Array.from({ length: maxAttempts }, () => false), true]);
      await jobs.runJob(id, FOREVER, async (job) => void (await jobs.writeProgress(job, {})));
      await jobs.runJob(id, FOREVER, crash).catch(() => undefined);
      expect(stuck.at(-1)).toBe(false);
    });

    it('waits while its workspace is deleted, without an attempt', async () => {
      const id = await created(DELETED);
      const work = jest.fn();
      await jobs.runJob(id, FOREVER, work);
      expect(work).not.toHaveBeenCalled();
      expect(await find(id)).toMatchObject({ open: true, attempts: 0, nextAt: database.clock.in(600_000) });
    });
  });
}
