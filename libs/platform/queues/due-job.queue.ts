import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type Queue } from 'bullmq';
import { type JobPayload, JobQueue, type PlannedJob } from './job.queue';
import { RedisClient } from './redis.client';

/** A job for work that is due in the database. */
export interface DueJob<P extends JobPayload> {
  readonly payload: P;
  /** Unique among all jobs of the queue, past and future: work that is planned again has another id. */
  readonly id: string;
  readonly dueAt: Date;
}

/** Base of queues whose work is planned in the database, where sweeps find missing jobs. */
export abstract class DueJobQueue<P extends JobPayload> extends JobQueue<P> {
  /** Whether the last attempt failed: one log line per outage instead of one per job. */
  #failing = false;

  protected constructor(
    queue: Queue,
    redis: RedisClient,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {
    super(queue, redis);
  }

  /** Adds the jobs. A failure of Redis loses nothing: the sweep finds due work. */
  protected async enqueueAll(jobs: readonly DueJob<P>[]): Promise<void> {
    try {
      await this.addMany(jobs.map((job) => this.#toPlannedJob(job)));
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.log.error(`Jobs were not added to ${this.queue.name}; the sweep will add them`, error);
      this.#failing = true;
    }
  }

  /**
   * Adds the jobs that are due and neither waiting nor running, and returns the number of missing ones. A finished job had no
   * effect, or its work would not be due; a delayed one is late by another clock.
   * @throws SERVICE_UNAVAILABLE while Redis is unavailable
   */
  protected async addAllMissing(jobs: readonly DueJob<P>[]): Promise<number> {
    const states = await this.redis.promptly(() => Promise.all(jobs.map(({ id }) => this.queue.getJobState(id))));
    const idle = jobs.filter((_job, at) => ['completed', 'failed', 'delayed'].includes(states[at] ?? ''));
    const missing = jobs.filter((_job, at) => states[at] === 'unknown');
    for (const { id } of idle) await this.withdraw(id);
    await this.addMany([...missing, ...idle].map((job) => this.#toPlannedJob(job)));
    return missing.length;
  }

  #toPlannedJob({ payload, id, dueAt }: DueJob<P>): PlannedJob<P> {
    return { payload, id, delayMs: dueAt.getTime() - this.clock.now().getTime() };
  }
}
