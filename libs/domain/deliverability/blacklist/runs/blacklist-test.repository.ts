import { EventsService } from '@domain/events';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { BlacklistTestRecord, type PlannedMailbox, type TestProblem } from '../schemas/blacklist-test.record';
import { BlacklistTestSupersededError } from './blacklist.errors';
import { MailboxBlacklistStatusRepository } from './mailbox-blacklist-status.repository';
import { type MailboxOutcome, getSummary } from './test-outcome';

/** Tests that one sweep looks at, the oldest first. */
const SWEEP_AT_MOST = 1_000;

type Named = Pick<BlacklistTestRecord, '_id' | 'workspaceId'>;

/** From pending over running to an end, each move once. */
@Injectable()
export class BlacklistTestRepository {
  constructor(
    @InjectModel(BlacklistTestRecord.name) private readonly tests: Model<BlacklistTestRecord>,
    private readonly statuses: MailboxBlacklistStatusRepository,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
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

  async #end({ _id, workspaceId }: Named, changes: Partial<BlacklistTestRecord>): Promise<void> {
    const { matchedCount } = await this.tests.updateOne(
      { _id, workspaceId, open: true },
      { $set: { ...changes, open: false, completedAt: this.clock.now() } },
    );
    if (matchedCount !== 1) throw new BlacklistTestSupersededError('The test was cancelled');
  }
}
