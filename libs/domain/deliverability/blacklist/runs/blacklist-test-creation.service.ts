import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { parseId, TransactionService } from '@platform/database';
import { type ErrorDetail, validationFailed } from '@platform/errors';
import { Types } from 'mongoose';
import { type BlacklistTestResponse, toBlacklistTest } from '../dto/blacklist-test.dto';
import { type CreateBlacklistTestRequest } from '../dto/blacklist-test-requests.dto';
import { BlacklistSchedulesService } from '../schedules/blacklist-schedules.service';
import { BlacklistTestQueue } from './blacklist-test.queue';
import { TestInsertionService } from './test-insertion.service';

/** Beginning a test, and a schedule with it where one is wanted. */
@Injectable()
export class BlacklistTestCreationService {
  constructor(
    private readonly insertion: TestInsertionService,
    private readonly schedules: BlacklistSchedulesService,
    private readonly mailboxes: MailboxRepository,
    private readonly queue: BlacklistTestQueue,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * A test that is pending; the worker does it.
   * @throws VALIDATION_ERROR naming `mailboxIds.N` for one that the workspace does not have, and for one given twice;
   *   LIMIT_EXCEEDED
   */
  async create(workspace: WorkspaceScope, input: CreateBlacklistTestRequest): Promise<BlacklistTestResponse> {
    const { testName = null, schedule } = input;
    const { workspaceId, actor } = workspace;
    const test = await this.transactions.run(async () => {
      const mailboxIds = await this.#held(workspace, input.mailboxIds);
      const scheduleId = schedule ? new Types.ObjectId() : null;
      const userId = actor.userId === null ? null : parseId(actor.userId);
      const record = await this.insertion.insert(workspaceId, { userId, testName, mailboxIds, scheduleId });
      if (scheduleId && schedule)
        await this.schedules.add(scheduleId, record, { testName, everyDays: schedule.everyDays });
      const target = { type: 'blacklist_test', id: record._id.toHexString() } as const;
      const changes = {
        mailboxes: { from: null, to: mailboxIds.length },
        everyDays: { from: null, to: schedule?.everyDays ?? null },
      };
      await this.audit.record(workspace, { action: 'blacklist_test.created', target, changes });
      return record;
    });
    await this.queue.plan([test]);
    return toBlacklistTest(test, []);
  }

  async #held(workspace: WorkspaceScope, mailboxIds: readonly string[]): Promise<Types.ObjectId[]> {
    const ids = mailboxIds.map((id) => id.toLowerCase());
    const found = await this.mailboxes.lockReferences(workspace, ids);
    const seen = new Set<string>();
    const errors: ErrorDetail[] = ids.flatMap((id, at) => {
      const field = `mailboxIds.${at}`;
      const isTwice = seen.has(id);
      seen.add(id);
      if (!found.has(id)) return [{ field, message: `${field} is not a mailbox of this workspace` }];
      return isTwice ? [{ field, message: `${field} is given twice` }] : [];
    });
    if (errors.length > 0) throw validationFailed(errors);
    return ids.flatMap((id) => found.get(id) ?? []);
  }
}
