import { MailboxHoldsRepository } from '@domain/mailboxes';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { AppError } from '@platform/errors';
import { type Model } from 'mongoose';
import { BlacklistScheduleRecord } from '../schemas/blacklist-schedule.record';
import { type BlacklistTestRecord } from '../schemas/blacklist-test.record';
import { BlacklistTestQueue } from '../runs/blacklist-test.queue';
import { TestInsertionService } from '../runs/test-insertion.service';
import { nextDueAt } from './blacklist-schedule-interval';

/** Schedules that one run looks at, those due for longest first; the next one goes on. */
const AT_MOST = 500;
/** When there is no room for a test, or the workspace is deleted and may be restored, it is looked again after this time. */
const POSTPONED_MS = 60 * 60_000;

/** Begins the tests of schedules that are due. */
@Injectable()
export class ScheduleRunsService {
  constructor(
    @InjectModel(BlacklistScheduleRecord.name) private readonly schedules: Model<BlacklistScheduleRecord>,
    private readonly insertion: TestInsertionService,
    private readonly holds: MailboxHoldsRepository,
    private readonly queue: BlacklistTestQueue,
    private readonly workspaces: WorkspaceRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Each due schedule begins one test, by however many workers. @throws the signal's reason, between two schedules */
  async run(signal: AbortSignal): Promise<void> {
    const due = await this.schedules
      .find({ nextAt: { $lte: this.clock.now() } })
      .setOptions({ allWorkspaces: 'the worker begins the tests of all workspaces' })
      .sort({ nextAt: 1, _id: 1 })
      .limit(AT_MOST)
      .lean<BlacklistScheduleRecord[]>();
    const alive = await this.workspaces.filterAlive(due.map(({ workspaceId }) => workspaceId.toHexString()));
    for (const schedule of due) {
      signal.throwIfAborted();
      if (alive.has(schedule.workspaceId.toHexString())) await this.#begin(schedule);
      else await this.#postpone(schedule);
    }
  }

  async #begin(schedule: BlacklistScheduleRecord): Promise<void> {
    try {
      const test = await this.transactions.run(() => this.#insert(schedule));
      if (test) await this.queue.plan([test]);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'LIMIT_EXCEEDED') throw error;
      await this.#postpone(schedule);
    }
  }

  /** null when somebody else was there first, or nothing is left to test: then the schedule ends. */
  async #insert(schedule: BlacklistScheduleRecord): Promise<BlacklistTestRecord | null> {
    const { _id, workspaceId, userId, testName, everyDays, beganAt, nextAt } = schedule;
    const workspace = { workspaceId: workspaceId.toHexString() };
    const held = await this.holds.lockReferences(
      workspace,
      schedule.mailboxIds.map((id) => id.toHexString()),
    );
    if (held.size === 0) {
      await this.schedules.deleteOne({ _id, workspaceId, nextAt });
      return null;
    }
    const due = { _id, workspaceId, nextAt };
    const next = { nextAt: nextDueAt(beganAt, everyDays, this.clock.now()) };
    const { modifiedCount } = await this.schedules.updateOne(due, { $set: next });
    if (modifiedCount !== 1) return null;
    const mailboxIds = schedule.mailboxIds.filter((id) => held.has(id.toHexString()));
    const wanted = { userId, testName, mailboxIds, scheduleId: _id };
    const test = await this.insertion.insert(workspace.workspaceId, wanted);
    await this.schedules.updateOne({ _id, workspaceId }, { $set: { lastTestId: test._id } });
    return test;
  }

  async #postpone({ _id, workspaceId, nextAt }: BlacklistScheduleRecord): Promise<void> {
    await this.schedules.updateOne({ _id, workspaceId, nextAt }, { $set: { nextAt: this.clock.in(POSTPONED_MS) } });
  }
}
