import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type MessageResponse } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService, parseId, TransactionService } from '@platform/database';
import { limitExceeded, notFound } from '@platform/errors';
import { type PageQuery } from '@platform/validation';
import { type Model, type Types } from 'mongoose';
import { type BlacklistScheduleResponse, toBlacklistSchedule } from '../dto/blacklist-schedule.dto';
import { BlacklistScheduleRecord } from '../schemas/blacklist-schedule.record';
import { type BlacklistTestRecord } from '../schemas/blacklist-test.record';
import { nextDueAt } from './blacklist-schedule-interval';

/** Schedules that a workspace may have. */
const MOST_SCHEDULES = 20;

/** Schedules as their users see them. */
@Injectable()
export class BlacklistSchedulesService {
  constructor(
    @InjectModel(BlacklistScheduleRecord.name) private readonly schedules: Model<BlacklistScheduleRecord>,
    private readonly audit: AuditService,
    private readonly pages: PageService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Repeats a test that was just made. Joins the transaction that made it, in which the workspace is claimed.
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

  /** No more tests are begun by it; those that were stay. @throws NOT_FOUND */
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
}
