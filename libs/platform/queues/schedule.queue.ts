import { Injectable } from '@nestjs/common';
import { InjectModel, Prop } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { Collection } from '@platform/database';
import { type Model } from 'mongoose';
import { Queues } from './queues.service';
import { RedisConnection } from './redis.connection';
import { nextRun, type ScheduleRow } from './schedule.rhythm';

@Collection('schedules', { tenant: { notBecause: 'repeating jobs belong to the installation' }, indexes: [] })
export class ScheduleRecord {
  /** Name of the row in the worker's table. */
  @Prop({ type: String, required: true })
  _id!: string;

  @Prop({ type: Date, required: true })
  nextRunAt!: Date;

  @Prop({ type: Date, default: null })
  lastRunAt!: Date | null;
}

/** Repeating jobs whose next run is kept in MongoDB: an emptied Redis forgets none, and two workers add none twice. */
@Injectable()
export class Schedules {
  constructor(
    @InjectModel(ScheduleRecord.name) private readonly schedules: Model<ScheduleRecord>,
    private readonly queues: Queues,
    private readonly redis: RedisConnection,
    private readonly clock: Clock,
  ) {}

  /**
   * Adds the job of every row that is due and plans its next run. Returns the names of the rows that ran.
   * @throws the first failure, after every row had its turn
   */
  async tick(rows: readonly ScheduleRow[]): Promise<string[]> {
    const now = this.clock.now();
    const known = new Map((await this.schedules.find().lean()).map((record) => [record._id, record]));
    const ran: string[] = [];
    const failures: unknown[] = [];
    for (const row of rows) {
      try {
        if (await this.#turn(row, known.get(row.name), now)) ran.push(row.name);
      } catch (error) {
        failures.push(error); // the other rows have their turn all the same
      }
    }
    if (failures.length > 0) throw failures[0];
    return ran;
  }

  /** Whether the row's job was added. */
  async #turn(row: ScheduleRow, record: ScheduleRecord | undefined, now: Date): Promise<boolean> {
    if (!record) {
      await this.#plan(row, now);
      return false;
    }
    if (record.nextRunAt <= now) return this.#run(row, record, now);
    const next = nextRun(row.rhythm, now);
    // The rhythm was changed to a faster one: what was planned by the old one would come too late.
    if (record.nextRunAt > next) {
      await this.schedules.updateOne({ _id: row.name, nextRunAt: record.nextRunAt }, { $set: { nextRunAt: next } });
    }
    return false;
  }

  async #plan(row: ScheduleRow, now: Date): Promise<void> {
    await this.schedules.updateOne(
      { _id: row.name },
      { $setOnInsert: { nextRunAt: nextRun(row.rhythm, now) } },
      { upsert: true },
    );
  }

  /** The job first, the plan second: a crash in between adds the same job id again instead of losing a run. */
  async #run(row: ScheduleRow, { nextRunAt }: ScheduleRecord, now: Date): Promise<boolean> {
    const jobId = `${row.name}-${nextRunAt.getTime()}`;
    await this.redis.promptly(() => this.queues.get(row.queue).add(row.queue, {}, { jobId }));
    const { modifiedCount } = await this.schedules.updateOne(
      { _id: row.name, nextRunAt },
      { $set: { nextRunAt: nextRun(row.rhythm, now), lastRunAt: now } },
    );
    return modifiedCount === 1;
  }
}
