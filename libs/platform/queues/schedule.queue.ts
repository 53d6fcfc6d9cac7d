import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model } from 'mongoose';
import { QueuesService } from './queues.service';
import { RedisClient } from './redis.client';
import { ScheduleRecord } from './schedule.record';
import { getNextRun, type ScheduleRow } from './schedule-interval';

/** What is written of a row whose turn it was. */
interface ScheduleUpdate {
  name: string;
  /** Whether its job was added. */
  ran: boolean;
  updateOne: { filter: object; update: object; upsert?: boolean };
}

/** Repeating jobs whose next run is kept in MongoDB: an emptied Redis forgets none, and two workers add none twice. */
@Injectable()
export class ScheduleQueue {
  constructor(
    @InjectModel(ScheduleRecord.name) private readonly schedules: Model<ScheduleRecord>,
    private readonly queues: QueuesService,
    private readonly redis: RedisClient,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Adds the job of every row that is due and plans its next run, all in one command. Returns the names of the rows that ran:
   * of none, when another worker was faster with one of them.
   * @throws the first failure, after every row had its turn
   */
  async tick(rows: readonly ScheduleRow[]): Promise<string[]> {
    const now = this.clock.now();
    const known = new Map((await this.schedules.find().lean()).map((record) => [record._id, record]));
    const turns: ScheduleUpdate[] = [];
    const failures: unknown[] = [];
    for (const row of rows) {
      try {
        const turn = await this.#runRow(row, known.get(row.name), now);
        if (turn) turns.push(turn);
      } catch (error) {
        failures.push(error); // the other rows have their turn all the same
      }
    }
    const isFirst = await this.#write(turns);
    if (failures.length > 0) throw failures[0];
    return isFirst ? turns.filter(({ ran }) => ran).map(({ name }) => name) : [];
  }

  /** Adds the job of a row that is due. The job first, the plan second: a crash in between adds the same job id again. */
  async #runRow(row: ScheduleRow, record: ScheduleRecord | undefined, now: Date): Promise<ScheduleUpdate | null> {
    const { name } = row;
    const next = getNextRun(row.interval, now);
    if (!record) {
      const update = { $setOnInsert: { nextRunAt: next } };
      return { name, ran: false, updateOne: { filter: { _id: name }, update, upsert: true } };
    }
    const { nextRunAt } = record;
    const filter = { _id: name, nextRunAt };
    if (nextRunAt <= now) {
      const jobId = `${name}-${nextRunAt.getTime()}`;
      await this.redis.promptly(() => this.queues.get(row.queue).add(row.queue, {}, { jobId }));
      return { name, ran: true, updateOne: { filter, update: { $set: { nextRunAt: next, lastRunAt: now } } } };
    }
    // The rhythm was changed to a faster one: what was planned by the old one would come too late.
    const isLate = nextRunAt > next;
    return isLate ? { name, ran: false, updateOne: { filter, update: { $set: { nextRunAt: next } } } } : null;
  }

  /** Whether no other worker has written any of them since they were read. */
  async #write(turns: readonly ScheduleUpdate[]): Promise<boolean> {
    if (turns.length === 0) return true;
    const updates = turns.map(({ updateOne }) => ({ updateOne }));
    const { modifiedCount, upsertedCount } = await this.schedules.bulkWrite(updates, { ordered: false });
    return modifiedCount + upsertedCount === turns.length;
  }
}
