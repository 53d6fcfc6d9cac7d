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

  /** Adds the job of every row that is due and plans its next run. Returns the names of the rows that ran. */
  async tick(rows: readonly ScheduleRow[]): Promise<string[]> {
    const now = this.clock.now();
    const known = new Map((await this.schedules.find().lean()).map((record) => [record._id, record]));
    const ran: string[] = [];
    for (const row of rows) {
      const record = known.get(row.name);
      if (!record) await this.#plan(row, now);
      else if (record.nextRunAt <= now && (await this.#run(row, record, now))) ran.push(row.name);
    }
    return ran;
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
