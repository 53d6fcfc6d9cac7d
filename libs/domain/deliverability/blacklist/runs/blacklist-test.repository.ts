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
import { BlacklistTestSupersededError } from './blacklist.errors';
import { MailboxBlacklistStatusRepository } from './mailbox-blacklist-status.repository';
import { type MailboxOutcome, getSummary, type Finding } from './test-outcome';

/** Tests that one sweep looks at, the oldest first. */
const SWEEP_AT_MOST = 1_000;

type Named = Pick<BlacklistTestRecord, '_id' | 'workspaceId'>;

/** What zones said of a subject, all of them or those that were asked in time. */
export interface NewFinding extends Subject {
  readonly checks: readonly ZoneCheck[];
  readonly complete: boolean;
}
type Open = Named & Pick<BlacklistTestRecord, 'expiresAt'>;

/** Tests of a workspace that are pending or running at one time: each may ask for tens of thousands of names. */
const MAX_OPEN_TESTS = 5;
/** How long a test is kept, with what it found. */
const RETENTION_MS = 365 * 86_400_000;

/** A test as somebody, or a schedule, wants it. */
export interface BlacklistTestInput {
  /** null: whoever owns the workspace. */
  readonly userId: Types.ObjectId | null;
  /** null: one with the day. */
  readonly testName: string | null;
  /** Of mailboxes that there are. */
  readonly mailboxIds: readonly Types.ObjectId[];
  readonly scheduleId: Types.ObjectId | null;
}

/** From pending over running to an end, each move once. */
@Injectable()
export class BlacklistTestRepository {
  constructor(
    @InjectModel(BlacklistTestRecord.name) private readonly tests: Model<BlacklistTestRecord>,
    @InjectModel(BlacklistFindingRecord.name) private readonly findings: Model<BlacklistFindingRecord>,
    private readonly statuses: MailboxBlacklistStatusRepository,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
    private readonly mailboxes: MailboxRepository,
    private readonly limits: WorkspaceLimitsService,
  ) {}

  /** Takes a test up, for the first time or again; null when it is over or gone. */
  async begin(workspaceId: string, _id: Types.ObjectId | null): Promise<BlacklistTestRecord | null> {
    if (!_id) return null;
    const first = { $set: { status: 'running', overallSummary: getSummary([]), startedAt: this.clock.now() } };
    await this.tests.updateOne({ _id, workspaceId, open: true, startedAt: null }, first);
    return this.tests
      .findOneAndUpdate({ _id, workspaceId, open: true }, { $inc: { attempts: 1 } }, { returnDocument: 'after' })
      .lean<BlacklistTestRecord>();
  }

  /** What will be looked up; settled once, so that a test that goes on does what it began. @throws TestMoved */
  async settle({ _id, workspaceId }: Named, plan: readonly PlannedMailbox[], total: number): Promise<void> {
    const { matchedCount } = await this.tests.updateOne(
      { _id, workspaceId, open: true, plan: null },
      { $set: { plan: [...plan], progress: { done: 0, total } } },
    );
    if (matchedCount !== 1) throw new BlacklistTestSupersededError('The test is over, or somebody else does it');
  }

  /** Everything was looked up: the figures, how the mailboxes stand, and the events of it. @throws TestMoved */
  async complete(test: BlacklistTestRecord, outcomes: readonly MailboxOutcome[]): Promise<void> {
    const overallSummary = getSummary(outcomes);
    const { _id, workspaceId, testCode, testName } = test;
    await this.transactions.run(async () => {
      await this.#end(test, { status: 'completed', overallSummary, error: null });
      const testId = _id.toHexString();
      const data = { testId, testCode, testName, ...overallSummary };
      const workspace = { workspaceId: workspaceId.toHexString() };
      await this.events.recordAll(workspace, [
        { type: 'blacklist.completed', dedupeKey: `blacklist.completed:${testId}`, about: {}, data },
        ...(await this.statuses.apply(test, outcomes)),
      ]);
    });
  }

  /** It cannot go on; what it found stays. @throws TestMoved */
  async fail(test: Named, error: TestProblem, outcomes: readonly MailboxOutcome[]): Promise<void> {
    await this.#end(test, { status: 'failed', overallSummary: getSummary(outcomes), error });
  }

  /** In a transaction that has read it as open. */
  async cancel({ _id, workspaceId }: Named, outcomes: readonly MailboxOutcome[]): Promise<BlacklistTestRecord> {
    const overallSummary = getSummary(outcomes);
    return this.tests
      .findOneAndUpdate(
        { _id, workspaceId, open: true },
        { $set: { status: 'cancelled', overallSummary, open: false, completedAt: this.clock.now() } },
        { returnDocument: 'after' },
      )
      .lean<BlacklistTestRecord>()
      .orFail();
  }

  /** Those of all workspaces that are not over. */
  async listOpen(): Promise<Pick<BlacklistTestRecord, '_id' | 'workspaceId' | 'createdAt'>[]> {
    return this.tests
      .find({ open: true }, { workspaceId: 1, createdAt: 1 })
      .setOptions({ allWorkspaces: 'the worker does the tests of all workspaces' })
      .sort({ createdAt: 1 })
      .limit(SWEEP_AT_MOST)
      .lean<Pick<BlacklistTestRecord, '_id' | 'workspaceId' | 'createdAt'>[]>();
  }

  /**
   * Keeps findings and counts the look-ups of those that are complete, each subject once however often it is kept.
   * @throws TestMoved when the test is over
   */
  async saveFindings({ _id, workspaceId, expiresAt }: Open, found: readonly NewFinding[]): Promise<void> {
    const subjects = found.map(({ subject }) => subject);
    await this.transactions.run(async () => {
      const known = await this.findings
        .find({ workspaceId, testId: _id, subject: { $in: subjects }, complete: true }, { subject: 1 })
        .lean<Pick<BlacklistFindingRecord, 'subject'>[]>();
      const over = new Set(known.map(({ subject }) => subject));
      const fresh = found.filter(({ subject }) => !over.has(subject));
      const done = fresh.reduce((sum, { checks, complete }) => sum + (complete ? checks.length : 0), 0);
      const { matchedCount } = await this.tests.updateOne(
        { _id, workspaceId, open: true },
        { $inc: { 'progress.done': done }, $set: { attempts: 0 } },
      );
      if (matchedCount !== 1) throw new BlacklistTestSupersededError('The test is over');
      if (fresh.length > 0) await this.#writeFindings({ _id, workspaceId, expiresAt }, fresh);
    });
  }

  /** What is there of the subjects of a test, by subject: zones that were asked, and whether those are all. */
  async listBegun({ _id, workspaceId }: Named): Promise<Map<string, { complete: boolean; checks: ZoneCheck[] }>> {
    const found = await this.findings
      .find({ workspaceId, testId: _id }, { subject: 1, complete: 1, listings: 1, others: 1 })
      .lean<BlacklistFindingRecord[]>();
    return new Map(
      found.map(({ subject, complete, listings, others }) => [
        subject,
        // Of those that are complete nobody asks for more; there may be thousands.
        { complete, checks: complete ? [] : [...listings, ...others] },
      ]),
    );
  }

  /** What was found so far, by subject, without the zones that do not list it. */
  async findListings({ _id, workspaceId }: Named): Promise<Map<string, Finding>> {
    const found = await this.findings
      .find({ workspaceId, testId: _id }, { subject: 1, kind: 1, listings: 1, counts: 1 })
      .lean<Finding[]>();
    return new Map(found.map((finding) => [finding.subject, finding]));
  }

  /** All that was found so far of some subjects, by subject. */
  async findFindings(
    { _id, workspaceId }: Named,
    subjects: readonly string[],
  ): Promise<Map<string, BlacklistFindingRecord>> {
    const found = await this.findings
      .find({ workspaceId, testId: _id, subject: { $in: [...subjects] } })
      .lean<BlacklistFindingRecord[]>();
    return new Map(found.map((finding) => [finding.subject, finding]));
  }

  /** The test is deleted. */
  async removeFindings({ _id, workspaceId }: Named): Promise<void> {
    await this.findings.deleteMany({ workspaceId, testId: _id });
  }

  /**
   * Joins the running transaction. The workspace is claimed, so that of two who race for the last place one is run again and sees the
   * other.
   * @throws LIMIT_EXCEEDED, NOT_FOUND for a workspace that is gone
   */
  async insert(workspaceId: string, wanted: BlacklistTestInput): Promise<BlacklistTestRecord> {
    const { ownerId } = await this.limits.claim(workspaceId);
    const open = await this.tests.countDocuments({ workspaceId, open: true });
    if (open >= MAX_OPEN_TESTS) {
      throw limitExceeded(`${MAX_OPEN_TESTS} blacklist tests are on their way in this workspace; wait for one of them`);
    }
    const found = await this.mailboxes.all(new Types.ObjectId(workspaceId), wanted.mailboxIds);
    const now = this.clock.now();
    const created = await this.tests.create({
      workspaceId,
      // A key of the workspace stands for no person: its owner answers for what it does.
      userId: wanted.userId ?? ownerId,
      testCode: `BL-${now.getTime()}-${randomBytes(4).toString('hex')}`,
      testName: wanted.testName ?? `Blacklist test ${now.toISOString().slice(0, 10)}`,
      mailboxes: found.map(({ _id, email }) => ({ mailboxId: _id, email })),
      scheduleId: wanted.scheduleId,
      progress: { done: 0, total: 0 },
      expiresAt: this.clock.in(RETENTION_MS),
    });
    return created.toObject<BlacklistTestRecord>();
  }

  async #end({ _id, workspaceId }: Named, changes: Partial<BlacklistTestRecord>): Promise<void> {
    const { matchedCount } = await this.tests.updateOne(
      { _id, workspaceId, open: true },
      { $set: { ...changes, open: false, completedAt: this.clock.now() } },
    );
    if (matchedCount !== 1) throw new BlacklistTestSupersededError('The test was cancelled');
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
