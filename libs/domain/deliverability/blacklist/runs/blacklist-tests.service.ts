import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type MessageResponse } from '@domain/identity';
import { MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService, parseId, TransactionService } from '@platform/database';
import { conflict, notFound, type ErrorDetail, validationFailed } from '@platform/errors';
import { type PageQuery } from '@platform/validation';
import { type Model, Types } from 'mongoose';
import { type MailboxChecksResponse, toMailboxChecks } from '../dto/blacklist-results.dto';
import { type CreateBlacklistTestRequest } from '../dto/blacklist-test-requests.dto';
import {
  type BlacklistTestResponse,
  type ListedBlacklistTestResponse,
  toBlacklistTest,
  toListedBlacklistTest,
} from '../dto/blacklist-test.dto';
import { BlacklistSchedulesService } from '../schedules/blacklist-schedules.service';
import { BlacklistTestRecord, type PlannedMailbox } from '../schemas/blacklist-test.record';
import { BlacklistTestJobRecordService } from './blacklist-test-job-record.service';
import { BlacklistTestRepository } from './blacklist-test.repository';
import { type MailboxOutcome, getOutcome } from './test-outcome';

/** Large fields that lists omit. */
const UNLISTED = ['mailboxes', 'plan'];

/** Blacklist tests for the API. */
@Injectable()
export class BlacklistTestsService {
  constructor(
    @InjectModel(BlacklistTestRecord.name) private readonly records: Model<BlacklistTestRecord>,
    private readonly tests: BlacklistTestRepository,
    private readonly audit: AuditService,
    private readonly pages: PageService,
    private readonly transactions: TransactionService,
    private readonly schedules: BlacklistSchedulesService,
    private readonly references: MailboxRepository,
    private readonly jobs: BlacklistTestJobRecordService,
  ) {}

  /** Newest first. */
  async list(workspace: WorkspaceScope, { limit, cursor }: PageQuery): Promise<Page<ListedBlacklistTestResponse>> {
    const { workspaceId } = workspace;
    const query = { scope: workspaceId, filter: { workspaceId }, without: UNLISTED, page: { limit, cursor } };
    return this.pages.read(this.records, query, toListedBlacklistTest);
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, testId: string): Promise<BlacklistTestResponse> {
    return this.#toResponse(await this.#find(workspace, testId));
  }

  /** Returns the results of each zone for one mailbox so far. @throws NOT_FOUND, also for a mailbox outside the test */
  async checks(workspace: WorkspaceScope, testId: string, mailboxId: string): Promise<MailboxChecksResponse> {
    const test = await this.#find(workspace, testId);
    const id = mailboxId.toLowerCase();
    const mailbox = getPlan(test).find((planned) => planned.mailboxId.toHexString() === id);
    if (!mailbox) throw notFound('Mailbox of this blacklist test');
    const subjects = mailbox.subjects.map(({ subject }) => subject);
    const found = await this.tests.findFindings(test, subjects);
    const inOrder = subjects.flatMap((subject) => found.get(subject) ?? []);
    return toMailboxChecks(getOutcome(mailbox, found), inOrder);
  }

  /**
   * Cancels a test; queries stop within seconds, and findings stay. Cancelling again changes nothing.
   * @throws NOT_FOUND, CONFLICT for a completed or failed test
   */
  async cancel(workspace: WorkspaceScope, testId: string): Promise<BlacklistTestResponse> {
    const cancelled = await this.transactions.run(async () => {
      const test = await this.#find(workspace, testId);
      if (test.status === 'cancelled') return test;
      if (!test.open)
        throw conflict(`This test is ${test.status}; only one that is pending or running can be cancelled`);
      const after = await this.tests.cancel(test, await this.#listOutcomes(test));
      await this.audit.record(workspace, { action: 'blacklist_test.cancelled', target: toTarget(test) });
      return after;
    });
    return this.#toResponse(cancelled);
  }

  /** Deletes a test with its findings; the status of the mailboxes stays. @throws NOT_FOUND */
  async delete(workspace: WorkspaceScope, testId: string): Promise<MessageResponse> {
    const deleted = await this.transactions.run(async () => {
      const test = await this.#find(workspace, testId);
      await this.records.deleteOne({ _id: test._id, workspaceId: workspace.workspaceId });
      await this.audit.record(workspace, { action: 'blacklist_test.deleted', target: toTarget(test) });
      return test;
    });
    // Findings that an interruption leaves here expire.
    await this.tests.removeFindings(deleted);
    return { message: 'Blacklist test deleted' };
  }

  /**
   * Creates a pending test, and its schedule if requested.
   * @throws VALIDATION_ERROR naming `mailboxIds.N` for an unknown or repeated mailbox; LIMIT_EXCEEDED
   */
  async create(workspace: WorkspaceScope, input: CreateBlacklistTestRequest): Promise<BlacklistTestResponse> {
    const { testName = null, schedule } = input;
    const { workspaceId, actor } = workspace;
    const test = await this.transactions.run(async () => {
      const mailboxIds = await this.#lockMailboxes(workspace, input.mailboxIds);
      const scheduleId = schedule ? new Types.ObjectId() : null;
      const userId = actor.userId === null ? null : parseId(actor.userId);
      const record = await this.tests.insert(workspaceId, { userId, testName, mailboxIds, scheduleId });
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
    await this.jobs.enqueue(test);
    return toBlacklistTest(test, []);
  }

  async #toResponse(test: BlacklistTestRecord): Promise<BlacklistTestResponse> {
    return toBlacklistTest(test, await this.#listOutcomes(test));
  }

  /** Outcomes so far; none before the test is planned. */
  async #listOutcomes(test: BlacklistTestRecord): Promise<MailboxOutcome[]> {
    if (test.plan === null) return [];
    const found = await this.tests.findListings(test);
    return test.plan.map((mailbox) => getOutcome(mailbox, found));
  }

  async #find({ workspaceId }: WorkspaceScope, testId: string): Promise<BlacklistTestRecord> {
    const _id = parseId(testId);
    const record = _id && (await this.records.findOne({ _id, workspaceId }).lean<BlacklistTestRecord>());
    if (!record) throw notFound('Blacklist test');
    return record;
  }

  async #lockMailboxes(workspace: WorkspaceScope, mailboxIds: readonly string[]): Promise<Types.ObjectId[]> {
    const ids = mailboxIds.map((id) => id.toLowerCase());
    const found = await this.references.lockReferences(workspace, ids);
    const listed = new Set<string>();
    const errors: ErrorDetail[] = ids.flatMap((id, at) => {
      const field = `mailboxIds.${at}`;
      const isTwice = listed.has(id);
      listed.add(id);
      if (!found.has(id)) return [{ field, message: `${field} is not a mailbox of this workspace` }];
      return isTwice ? [{ field, message: `${field} is given twice` }] : [];
    });
    if (errors.length > 0) throw validationFailed(errors);
    return ids.flatMap((id) => found.get(id) ?? []);
  }
}

/** Without a plan no subject is known. */
function getPlan({ plan, mailboxes }: BlacklistTestRecord): PlannedMailbox[] {
  return plan ?? mailboxes.map(({ mailboxId, email }) => ({ mailboxId, email, subjects: [], notChecked: [] }));
}

function toTarget({ _id }: BlacklistTestRecord): { type: 'blacklist_test'; id: string } {
  return { type: 'blacklist_test', id: _id.toHexString() };
}
