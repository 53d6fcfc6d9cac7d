import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Queue } from 'bullmq';
import { type Model } from 'mongoose';
import { RedisClient } from './redis.client';
import { ScheduleRecord } from './schedule.record';
import { getNextRun, type ScheduleRow } from './schedule-interval';

/** The update of a row. */
interface ScheduleUpdate {
  name: string;
  /** Whether its job was added. */
  ran: boolean;
  updateOne: { filter: object; update: object; upsert?: boolean };
}

// A type and not an interface: only a type literal fits the index signature of a job's payload.
export type RunPeriodicTask = { task: string };

/** Periodic tasks. Their next run is stored in MongoDB, so that an emptied Redis loses none and two workers add none twice. */
@Injectable()
export class ScheduleQueue {
  constructor(
    @InjectModel(ScheduleRecord.name) private readonly schedules: Model<ScheduleRecord>,
    @InjectQueue('periodic') private readonly queue: Queue,
    private readonly redis: RedisClient,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Adds the job of every due row and plans its next run, all in one command. Returns the names of the rows that ran, or none when
   * another worker has updated one of them first.
   * @throws the first failure, after all rows are done
   */
  async tick(rows: readonly ScheduleRow[]): Promise<string[]> {
    const now = this.clock.now();
    const known = new Map((await this.schedules.find().lean()).map((record) => [record._id, record]));
    const updates: ScheduleUpdate[] = [];
    const failures: unknown[] = [];
    for (const row of rows) {
      try {
        const update = await this.#runRow(row, known.get(row.name), now);
        if (update) updates.push(update);
      } catch (error) {
        failures.push(error); // the other rows run regardless
      }
    }
    const isFirst = await this.#write(updates);
    if (failures.length > 0) throw failures[0];
    return isFirst ? updates.filter(({ ran }) => ran).map(({ name }) => name) : [];
  }

  /** Adds the job of a due row before its next run is planned: after a crash in between the same job id is added again. */
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
      const payload: RunPeriodicTask = { task: name };
      await this.redis.promptly(() => this.queue.add(name, payload, { jobId, attempts: row.attempts }));
      return { name, ran: true, updateOne: { filter, update: { $set: { nextRunAt: next, lastRunAt: now } } } };
    }
    // The interval was shortened: the run that was planned by the old one would be too late.
    const isLate = nextRunAt > next;
    return isLate ? { name, ran: false, updateOne: { filter, update: { $set: { nextRunAt: next } } } } : null;
  }

  /** Whether no other worker has updated any of them since they were read. */
  async #write(updates: readonly ScheduleUpdate[]): Promise<boolean> {
    if (updates.length === 0) return true;
    const operations = updates.map(({ updateOne }) => ({ updateOne }));
    const { modifiedCount, upsertedCount } = await this.schedules.bulkWrite(operations, { ordered: false });
    return modifiedCount + upsertedCount === updates.length;
  }
}
