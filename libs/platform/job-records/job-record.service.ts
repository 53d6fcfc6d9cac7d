import { type ClockPort } from '@platform/clock';
import { type LeaseRenewalService, type TransactionService } from '@platform/database';
import { type WorkPartitionQueue, WorkPartitionService } from '@platform/work-partitions';
import { type Model, Types } from 'mongoose';
import { type JobFields } from './job-fields';
import { JobSupersededError } from './job-superseded.errors';

/** A job as a run knows it. Its holder and fence guard all writes of the run. */
type RunningJob = Pick<JobFields, '_id' | 'workspaceId' | 'holder' | 'fence'>;
type NamedJob = Pick<JobFields, '_id' | 'workspaceId'>;

/** Operators of an update, without those that this service writes. */
export interface JobChanges {
  readonly $set?: object;
  readonly $inc?: object;
}

export interface JobOptions {
  /** Reason for the tenant guard: workers serve all workspaces. */
  readonly why: string;
  /** Fields of a job from the begin of its first run on, until its end. */
  readonly begun: object;
  /** Maximum number of consecutive runs without progress. */
  readonly maxAttempts: number;
}

export interface LivingWorkspaces {
  filterAlive(workspaceIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Milliseconds before a job of a deleted workspace is checked again: it may be restored. */
const DELETED_MS = 600_000;

/**
 * Base of all jobs. A run continues the job from its progress under the lease of its partition, so that there is one at a time;
 * after a crash another worker continues within 15 seconds, after an error with a back-off, after a shutdown at once. A write
 * of a run has no effect after a cancel or under a lost lease.
 */
export abstract class JobRecordService<R extends JobFields> extends WorkPartitionService<R> {
  protected constructor(
    records: Model<R>,
    queue: WorkPartitionQueue,
    transactions: TransactionService,
    renewals: LeaseRenewalService,
    clock: ClockPort,
    private readonly workspaces: LivingWorkspaces,
    private readonly options: JobOptions,
  ) {
    super(records, queue, transactions, renewals, clock, options.why);
  }

  /** Enqueues a new job, after its transaction. Never throws for Redis: the sweep finds the job. */
  async enqueue({ _id, workspaceId }: NamedJob): Promise<void> {
    await this.enqueueWhere({ _id, workspaceId });
  }

  /**
   * Continues a job. Without effect for an ended job, and while another worker runs it.
   * @param work ends the job, or throws for another attempt; it returns early when the job is superseded
   */
  async runJob(
    jobId: string,
    stopping: AbortSignal,
    work: (job: R, signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    await this.run(jobId, stopping, async ({ workspaceId, holder, fence }, signal) => {
      if (!(await this.workspaces.filterAlive([workspaceId])).has(workspaceId)) return this.clock.in(DELETED_MS);
      const job = await this.#begin({
        _id: new Types.ObjectId(jobId),
        workspaceId: new Types.ObjectId(workspaceId),
        holder,
        fence,
      });
      try {
        if (job) await work(job, signal);
      } catch (error) {
        if (!(error instanceof JobSupersededError)) throw error;
      }
      return null;
    });
  }

  /** Whether it has made no progress in its maximum number of runs: then it should fail. */
  isStuck({ attempts }: Pick<R, 'attempts'>): boolean {
    return attempts > this.options.maxAttempts;
  }

  /** Writes progress in the transaction of its effects. @throws JobSupersededError */
  async writeProgress(job: RunningJob, { $set, $inc }: JobChanges): Promise<R> {
    return this.#update(toRunFilter(job), { $set: { ...$set, attempts: 0 }, ...($inc && { $inc }) });
  }

  /** Ends a job in its run. @throws JobSupersededError */
  async end(job: RunningJob, result: object): Promise<R> {
    return this.#end(toRunFilter(job), result);
  }

  /**
   * Ends a job that may be running, without its lease: call it in the transaction that has read the job as open.
   * @throws JobSupersededError for an ended job
   */
  async close({ _id, workspaceId }: NamedJob, result: object): Promise<R> {
    return this.#end({ _id, workspaceId, open: true }, result);
  }

  async #begin(job: RunningJob): Promise<R | null> {
    const startedAt = { $ifNull: ['$startedAt', this.clock.now()] };
    const begun = { ...this.options.begun, startedAt, attempts: { $add: ['$attempts', 1] } };
    return this.#records
      .findOneAndUpdate(toRunFilter(job), [{ $set: begun }], { returnDocument: 'after', updatePipeline: true })
      .lean<R | null>();
  }

  /** The release at the end of the run plans no other one. */
  #end(filter: object, result: object): Promise<R> {
    const $set = { ...result, open: false, completedAt: this.clock.now() };
    return this.#update(filter, { $set, $unset: { nextAt: 1, requestedFor: 1 } });
  }

  async #update(filter: object, update: object): Promise<R> {
    const after = await this.#records.findOneAndUpdate(filter, update, { returnDocument: 'after' }).lean<R | null>();
    if (!after) throw new JobSupersededError('The job has ended, or another worker continues it');
    return after;
  }

  get #records(): Model<JobFields> {
    return this.partitions as unknown as Model<JobFields>;
  }
}

/** Matches the job only while it is open and the lease of its run is in force. */
function toRunFilter({ _id, workspaceId, holder, fence }: RunningJob): object {
  return { _id, workspaceId, open: true, holder, fence };
}
