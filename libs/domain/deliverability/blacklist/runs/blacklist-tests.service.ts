import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type MessageResponse } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService, parseId, TransactionService } from '@platform/database';
import { conflict, notFound } from '@platform/errors';
import { type PageQuery } from '@platform/validation';
import { type Model } from 'mongoose';
import { type MailboxChecksResponse, toMailboxChecks } from '../dto/blacklist-results.dto';
import {
  type BlacklistTestResponse,
  type ListedBlacklistTestResponse,
  toBlacklistTest,
  toListedBlacklistTest,
} from '../dto/blacklist-test.dto';
import { BlacklistTestRecord, type PlannedMailbox } from '../schemas/blacklist-test.record';
import { TestFindingsRepository } from './test-findings.repository';
import { type MailboxOutcome, getOutcome } from './test-outcome';
import { BlacklistTestRepository } from './blacklist-test.repository';

/** Fields that no list shows. */
const UNLISTED = ['mailboxes', 'plan'];

/** Tests as their users see them: how far they are, what they found, and ending them. */
@Injectable()
export class BlacklistTestsService {
  constructor(
    @InjectModel(BlacklistTestRecord.name) private readonly tests: Model<BlacklistTestRecord>,
    private readonly findings: TestFindingsRepository,
    private readonly states: BlacklistTestRepository,
    private readonly audit: AuditService,
    private readonly pages: PageService,
    private readonly transactions: TransactionService,
  ) {}

  /** Newest first. */
  async list(workspace: WorkspaceScope, { limit, cursor }: PageQuery): Promise<Page<ListedBlacklistTestResponse>> {
    const { workspaceId } = workspace;
    const query = { scope: workspaceId, filter: { workspaceId }, without: UNLISTED, page: { limit, cursor } };
    return this.pages.read(this.tests, query, toListedBlacklistTest);
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, testId: string): Promise<BlacklistTestResponse> {
    return this.#shown(await this.#find(workspace, testId));
  }

  /** What each zone said of one mailbox so far. @throws NOT_FOUND, also for a mailbox that is not in the test */
  async checks(workspace: WorkspaceScope, testId: string, mailboxId: string): Promise<MailboxChecksResponse> {
    const test = await this.#find(workspace, testId);
    const id = mailboxId.toLowerCase();
    const mailbox = planOf(test).find((planned) => planned.mailboxId.toHexString() === id);
    if (!mailbox) throw notFound('Mailbox of this blacklist test');
    const subjects = mailbox.subjects.map(({ subject }) => subject);
    const found = await this.findings.findFindings(test, subjects);
    const inOrder = subjects.flatMap((subject) => found.get(subject) ?? []);
    return toMailboxChecks(getOutcome(mailbox, found), inOrder);
  }

  /**
   * Ends a test; nothing more is asked for it within seconds, and what it found stays. Cancelling again changes nothing.
   * @throws NOT_FOUND, CONFLICT for one that is completed or failed
   */
  async cancel(workspace: WorkspaceScope, testId: string): Promise<BlacklistTestResponse> {
    const cancelled = await this.transactions.run(async () => {
      const test = await this.#find(workspace, testId);
      if (test.status === 'cancelled') return test;
      if (!test.open)
        throw conflict(`This test is ${test.status}; only one that is pending or running can be cancelled`);
      const after = await this.states.cancel(test, await this.#outcomes(test));
      await this.audit.record(workspace, { action: 'blacklist_test.cancelled', target: targetOf(test) });
      return after;
    });
    return this.#shown(cancelled);
  }

  /** The test is gone with what it found, whether it is over or not; how mailboxes stand stays. @throws NOT_FOUND */
  async delete(workspace: WorkspaceScope, testId: string): Promise<MessageResponse> {
    const deleted = await this.transactions.run(async () => {
      const test = await this.#find(workspace, testId);
      await this.tests.deleteOne({ _id: test._id, workspaceId: workspace.workspaceId });
      await this.audit.record(workspace, { action: 'blacklist_test.deleted', target: targetOf(test) });
      return test;
    });
    // What is left of an interruption here is forgotten at its time.
    await this.findings.removeFindings(deleted);
    return { message: 'Blacklist test deleted' };
  }

  async #shown(test: BlacklistTestRecord): Promise<BlacklistTestResponse> {
    return toBlacklistTest(test, await this.#outcomes(test));
  }

  /** As far as they are known; none before it is known what is looked up. */
  async #outcomes(test: BlacklistTestRecord): Promise<MailboxOutcome[]> {
    if (test.plan === null) return [];
    const found = await this.findings.findListings(test);
    return test.plan.map((mailbox) => getOutcome(mailbox, found));
  }

  async #find({ workspaceId }: WorkspaceScope, testId: string): Promise<BlacklistTestRecord> {
    const _id = parseId(testId);
    const record = _id && (await this.tests.findOne({ _id, workspaceId }).lean<BlacklistTestRecord>());
    if (!record) throw notFound('Blacklist test');
    return record;
  }
}

/** Before it is known what will be looked up, nothing is. */
function planOf({ plan, mailboxes }: BlacklistTestRecord): PlannedMailbox[] {
  return plan ?? mailboxes.map(({ mailboxId, email }) => ({ mailboxId, email, subjects: [], notChecked: [] }));
}

function targetOf({ _id }: BlacklistTestRecord): { type: 'blacklist_test'; id: string } {
  return { type: 'blacklist_test', id: _id.toHexString() };
}
