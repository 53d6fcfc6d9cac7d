import { randomBytes } from 'node:crypto';
import { EventsService } from '@domain/events';
import { WorkspaceLimitsService } from '@domain/identity';
import { MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService, rerunOnWriteConflict } from '@platform/database';
import { limitExceeded } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { type Subject } from '../lookups/listing-name';
import { BlacklistFindingRecord, type ZoneCheck } from '../schemas/blacklist-finding.record';
import { BlacklistTestRecord, type PlannedMailbox, type TestProblem } from '../schemas/blacklist-test.record';
import { BlacklistTestJobRecordService } from './blacklist-test-job-record.service';
import { MailboxBlacklistStatusRepository } from './mailbox-blacklist-status.repository';
import { type MailboxOutcome, getTestSummary, type Finding } from './test-outcome';

type Named = Pick<BlacklistTestRecord, '_id' | 'workspaceId'>;

/** Answers of the zones for a subject, all of them or those so far. */
export interface NewFinding extends Subject {
  readonly checks: readonly ZoneCheck[];
  readonly complete: boolean;
}
type Open = Named & Pick<BlacklistTestRecord, 'expiresAt'>;

/** Open tests of a workspace: each may query tens of thousands of names. */
const MAX_OPEN_TESTS = 5;
/** Retention of a test with its findings. */
const RETENTION_MS = 365 * 86_400_000;

/** A requested test. */
export interface BlacklistTestInput {
  /** null: the owner of the workspace. */
  readonly userId: Types.ObjectId | null;
  /** null: a name with the day. */
  readonly testName: string | null;
  /** Existing mailboxes. */
  readonly mailboxIds: readonly Types.ObjectId[];
  readonly scheduleId: Types.ObjectId | null;
}

/** Blacklist tests and their findings. */
@Injectable()
export class BlacklistTestRepository {
  constructor(
    @InjectModel(BlacklistTestRecord.name) private readonly tests: Model<BlacklistTestRecord>,
    @InjectModel(BlacklistFindingRecord.name) private readonly findings: Model<BlacklistFindingRecord>,
    private readonly jobs: BlacklistTestJobRecordService,
    private readonly statuses: MailboxBlacklistStatusRepository,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly mailboxes: MailboxRepository,
    private readonly limits: WorkspaceLimitsService,
  ) {}

  /** Stores the plan, with which later runs continue. @throws JobSupersededError */
  async settle(test: BlacklistTestRecord, plan: readonly PlannedMailbox[], total: number): Promise<void> {
    await this.jobs.writeProgress(test, { $set: { plan: [...plan], progress: { done: 0, total } } });
  }

  /** Completes a test: summary, status of the mailboxes, and events. @throws JobSupersededError */
  async complete(test: BlacklistTestRecord, outcomes: readonly MailboxOutcome[]): Promise<void> {
    const overallSummary = getTestSummary(outcomes);
    const { _id, workspaceId, testCode, testName } = test;
    await this.transactions.run(async () => {
      await this.jobs.end(test, { status: 'completed', overallSummary, error: null });
      const testId = _id.toHexString();
      const data = { testId, testCode, testName, ...overallSummary };
      const workspace = { workspaceId: workspaceId.toHexString() };
      await this.events.recordAll(workspace, [
        { type: 'blacklist.completed', dedupeKey: `blacklist.completed:${testId}`, about: {}, data },
        ...(await this.statuses.apply(test, outcomes)),
      ]);
    });
  }

  /** Fails a test; its findings stay. @throws JobSupersededError */
  async fail(test: BlacklistTestRecord, error: TestProblem, outcomes: readonly MailboxOutcome[]): Promise<void> {
    await this.jobs.end(test, { status: 'failed', overallSummary: getTestSummary(outcomes), error });
  }

  /** Joins a transaction that has read the test as open. */
  async cancel(test: Named, outcomes: readonly MailboxOutcome[]): Promise<BlacklistTestRecord> {
    return this.jobs.close(test, { status: 'cancelled', overallSummary: getTestSummary(outcomes) });
  }

  /**
   * Saves findings, and counts the look-ups of completed subjects once.
   * @throws JobSupersededError when the test has ended
   */
  async saveFindings(test: BlacklistTestRecord, found: readonly NewFinding[]): Promise<void> {
    const { _id, workspaceId, expiresAt } = test;
    const subjects = found.map(({ subject }) => subject);
    await this.transactions.run(async () => {
      const known = await this.findings
        .find({ workspaceId, testId: _id, subject: { $in: subjects }, complete: true }, { subject: 1 })
        .lean<Pick<BlacklistFindingRecord, 'subject'>[]>();
      const over = new Set(known.map(({ subject }) => subject));
      const fresh = found.filter(({ subject }) => !over.has(subject));
      const done = fresh.reduce((sum, { checks, complete }) => sum + (complete ? checks.length : 0), 0);
      await this.jobs.writeProgress(test, { $inc: { 'progress.done': done } });
      if (fresh.length > 0) await this.#writeFindings({ _id, workspaceId, expiresAt }, fresh);
    });
  }

  /** Returns the saved answers of each subject, and whether they are complete. */
  async listBegun({ _id, workspaceId }: Named): Promise<Map<string, { complete: boolean; checks: ZoneCheck[] }>> {
    const found = await this.findings
      .find({ workspaceId, testId: _id }, { subject: 1, complete: 1, listings: 1, others: 1 })
      .lean<BlacklistFindingRecord[]>();
    return new Map(
      found.map(({ subject, complete, listings, others }) => [
        subject,
        // Completed subjects need no answers here; there may be thousands.
        { complete, checks: complete ? [] : [...listings, ...others] },
      ]),
    );
  }

  /** Returns the findings so far by subject, without the zones that do not list it. */
  async findListings({ _id, workspaceId }: Named): Promise<Map<string, Finding>> {
    const found = await this.findings
      .find({ workspaceId, testId: _id }, { subject: 1, kind: 1, listings: 1, counts: 1 })
      .lean<Finding[]>();
    return new Map(found.map((finding) => [finding.subject, finding]));
  }

  /** Returns all findings so far of the given subjects. */
  async findFindings(
    { _id, workspaceId }: Named,
    subjects: readonly string[],
  ): Promise<Map<string, BlacklistFindingRecord>> {
    const found = await this.findings
      .find({ workspaceId, testId: _id, subject: { $in: [...subjects] } })
      .lean<BlacklistFindingRecord[]>();
    return new Map(found.map((finding) => [finding.subject, finding]));
  }

  /** Deletes the findings of a deleted test. */
  async removeFindings({ _id, workspaceId }: Named): Promise<void> {
    await this.findings.deleteMany({ workspaceId, testId: _id });
  }

  /**
   * Joins the running transaction and claims the workspace, so that concurrent requests for the last place conflict.
   * @throws LIMIT_EXCEEDED, NOT_FOUND for a deleted workspace
   */
  async insert(workspaceId: string, input: BlacklistTestInput): Promise<BlacklistTestRecord> {
    const { ownerId } = await this.limits.claim(workspaceId);
    const open = await this.tests.countDocuments({ workspaceId, open: true });
    if (open >= MAX_OPEN_TESTS) {
      throw limitExceeded(
        `${MAX_OPEN_TESTS} blacklist tests are pending or running in this workspace; wait for one of them`,
      );
    }
    const found = await this.mailboxes.listAll(new Types.ObjectId(workspaceId), input.mailboxIds);
    const now = this.clock.now();
    const created = await this.tests.create({
      workspaceId,
      // An API key of the workspace acts for its owner.
      userId: input.userId ?? ownerId,
      testCode: `BL-${now.getTime()}-${randomBytes(4).toString('hex')}`,
      testName: input.testName ?? `Blacklist test ${now.toISOString().slice(0, 10)}`,
      mailboxes: found.map(({ _id, email }) => ({ mailboxId: _id, email })),
      scheduleId: input.scheduleId,
      progress: { done: 0, total: 0 },
      nextAt: now,
      expiresAt: this.clock.in(RETENTION_MS),
    });
    return created.toObject<BlacklistTestRecord>();
  }

  async #writeFindings({ _id: testId, workspaceId, expiresAt }: Open, found: readonly NewFinding[]): Promise<void> {
    const updatedAt = this.clock.now();
    const operations = found.map(({ subject, kind, checks, complete }) => ({
      updateOne: {
        filter: { workspaceId, testId, subject },
        update: { $set: { kind, ...groupChecks(checks), complete, expiresAt, updatedAt } },
        upsert: true,
      },
    }));
    await rerunOnWriteConflict(() => this.findings.bulkWrite(operations as never, { ordered: false }));
  }
}

function groupChecks(checks: readonly ZoneCheck[]): Pick<BlacklistFindingRecord, 'listings' | 'others' | 'counts'> {
  const of = (result: ZoneCheck['result']) => checks.filter((check) => check.result === result).length;
  return {
    listings: checks.filter(({ result }) => result === 'listed'),
    others: checks.filter(({ result }) => result !== 'listed'),
    counts: { listed: of('listed'), clear: of('clear'), unknown: of('unknown'), zone_broken: of('zone_broken') },
  };
}
