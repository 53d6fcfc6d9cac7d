import { ClockPort } from '@platform/clock';
import { LogService } from '@platform/observability';
import { type JobPayload, JobQueue, type PlannedJob } from './job.queue';
import { type QueueName } from './queue-table';
import { QueuesService } from './queues.service';
import { RedisClient } from './redis.client';

/** A job that the database says is due. */
export interface DueJob<P extends JobPayload> {
  readonly payload: P;
  /** Names it among those of its queue that there were and will be: what is planned anew has another one. */
  readonly id: string;
  readonly dueAt: Date;
}

/** Base of queues whose jobs are planned in the database: those that are missing here are found there. */
export abstract class DueJobQueue<P extends JobPayload> extends JobQueue<P> {
  /** One line when jobs cannot be added and none for each that is planned meanwhile. */
  #failing = false;

  protected constructor(
    private readonly queueName: QueueName,
    private readonly allQueues: QueuesService,
    private readonly connection: RedisClient,
    private readonly clock: ClockPort,
    private readonly log: LogService,
  ) {
    super(queueName, allQueues, connection);
  }

  /** Adds the jobs. Redis failing right now costs nothing: the sweep finds what is due. */
  protected async enqueueAll(jobs: readonly DueJob<P>[]): Promise<void> {
    try {
      await this.addMany(jobs.map((job) => this.#toPlannedJob(job)));
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.log.error(`Not announced in ${this.queueName}; the sweep will find it`, error);
      this.#failing = true;
    }
  }

  /**
   * Adds the jobs that are due and neither waiting nor running, and returns how many were missing. One that has finished
   * did nothing, or it would not be due; one that is delayed is late by somebody's clock.
   * @throws SERVICE_UNAVAILABLE while Redis is away
   */
  protected async addAllMissing(jobs: readonly DueJob<P>[]): Promise<number> {
    const queue = this.allQueues.get(this.queueName);
    const states = await this.connection.promptly(() => Promise.all(jobs.map(({ id }) => queue.getJobState(id))));
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
