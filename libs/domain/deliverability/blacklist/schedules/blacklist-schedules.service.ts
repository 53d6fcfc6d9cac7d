import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type MessageResponse, WorkspaceRepository } from '@domain/identity';
import { MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Page, PageService, parseId, TransactionService } from '@platform/database';
import { limitExceeded, notFound, AppError } from '@platform/errors';
import { type PageQuery } from '@platform/validation';
import { type Model, type Types } from 'mongoose';
import { type BlacklistScheduleResponse, toBlacklistSchedule } from '../dto/blacklist-schedule.dto';
import { BlacklistTestJobRecordService } from '../runs/blacklist-test-job-record.service';
import { BlacklistTestRepository } from '../runs/blacklist-test.repository';
import { BlacklistScheduleRecord } from '../schemas/blacklist-schedule.record';
import { type BlacklistTestRecord } from '../schemas/blacklist-test.record';
import { nextDueAt } from './blacklist-schedule-interval';

/** Schedules of a workspace at most. */
const MOST_SCHEDULES = 20;

/** Schedules that one run starts, the longest due first. */
const AT_MOST = 500;
/** Delay after a reached limit, and for a deleted workspace, which may be restored. */
const POSTPONED_MS = 60 * 60_000;

/** Schedules of blacklist tests. */
@Injectable()
export class BlacklistSchedulesService {
  constructor(
    @InjectModel(BlacklistScheduleRecord.name) private readonly schedules: Model<BlacklistScheduleRecord>,
    private readonly audit: AuditService,
    private readonly pages: PageService,
    private readonly transactions: TransactionService,
    private readonly tests: BlacklistTestRepository,
    private readonly references: MailboxRepository,
    private readonly jobs: BlacklistTestJobRecordService,
    private readonly workspaces: WorkspaceRepository,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Adds a schedule for a new test. Joins the transaction of the test, which has claimed the workspace.
   * @param testName null: each test is named by its day
   * @throws LIMIT_EXCEEDED
   */
  async add(
    _id: Types.ObjectId,
    test: BlacklistTestRecord,
    { testName, everyDays }: Pick<BlacklistScheduleRecord, 'testName' | 'everyDays'>,
  ): Promise<void> {
    const { workspaceId, userId, mailboxes, createdAt } = test;
    if ((await this.schedules.countDocuments({ workspaceId })) >= MOST_SCHEDULES) {
      throw limitExceeded(`A workspace may have ${MOST_SCHEDULES} schedules of blacklist tests; delete one first`);
    }
    await this.schedules.create({
      _id,
      workspaceId,
      userId,
      testName,
      mailboxIds: mailboxes.map(({ mailboxId }) => mailboxId),
      everyDays,
      beganAt: createdAt,
      nextAt: nextDueAt(createdAt, everyDays, createdAt),
      lastTestId: test._id,
    });
  }

  /** Newest first. */
  async list(workspace: WorkspaceScope, { limit, cursor }: PageQuery): Promise<Page<BlacklistScheduleResponse>> {
    const { workspaceId } = workspace;
    const query = { scope: workspaceId, filter: { workspaceId }, page: { limit, cursor } };
    return this.pages.read(this.schedules, query, toBlacklistSchedule);
  }

  /** Deletes a schedule; its former tests stay. @throws NOT_FOUND */
  async delete(workspace: WorkspaceScope, scheduleId: string): Promise<MessageResponse> {
    await this.transactions.run(async () => {
      const _id = parseId(scheduleId);
      const { workspaceId } = workspace;
      const { deletedCount } = _id ? await this.schedules.deleteOne({ _id, workspaceId }) : { deletedCount: 0 };
      if (!_id || deletedCount !== 1) throw notFound('Blacklist schedule');
      const target = { type: 'blacklist_schedule', id: _id.toHexString() } as const;
      await this.audit.record(workspace, { action: 'blacklist_schedule.deleted', target });
    });
    return { message: 'Blacklist schedule deleted' };
  }

  /** Starts one test for each due schedule, with any number of workers. @throws the signal's reason, between two schedules */
  async runDue(signal: AbortSignal): Promise<void> {
    const due = await this.schedules
      .find({ nextAt: { $lte: this.clock.now() } })
      .setOptions({ allWorkspaces: 'the worker starts the tests of all workspaces' })
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
      const test = await this.transactions.run(() => this.#insertTest(schedule));
      if (test) await this.jobs.enqueue(test);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'LIMIT_EXCEEDED') throw error;
      await this.#postpone(schedule);
    }
  }

  /** Null when another worker was first, or no mailbox is left: then the schedule ends. */
  async #insertTest(schedule: BlacklistScheduleRecord): Promise<BlacklistTestRecord | null> {
    const { _id, workspaceId, userId, testName, everyDays, beganAt, nextAt } = schedule;
    const workspace = { workspaceId: workspaceId.toHexString() };
    const existing = await this.references.lockReferences(
      workspace,
      schedule.mailboxIds.map((id) => id.toHexString()),
    );
    if (existing.size === 0) {
      await this.schedules.deleteOne({ _id, workspaceId, nextAt });
      return null;
    }
    const due = { _id, workspaceId, nextAt };
    const next = { nextAt: nextDueAt(beganAt, everyDays, this.clock.now()) };
    const { modifiedCount } = await this.schedules.updateOne(due, { $set: next });
    if (modifiedCount !== 1) return null;
    const mailboxIds = schedule.mailboxIds.filter((id) => existing.has(id.toHexString()));
    const input = { userId, testName, mailboxIds, scheduleId: _id };
    const test = await this.tests.insert(workspace.workspaceId, input);
    await this.schedules.updateOne({ _id, workspaceId }, { $set: { lastTestId: test._id } });
    return test;
  }

  async #postpone({ _id, workspaceId, nextAt }: BlacklistScheduleRecord): Promise<void> {
    await this.schedules.updateOne({ _id, workspaceId, nextAt }, { $set: { nextAt: this.clock.in(POSTPONED_MS) } });
  }
}
