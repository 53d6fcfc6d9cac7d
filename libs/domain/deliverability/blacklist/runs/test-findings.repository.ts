import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { type Subject } from '../lookups/listing-name';
import { BlacklistFindingRecord, type ZoneCheck } from '../schemas/blacklist-finding.record';
import { BlacklistTestRecord } from '../schemas/blacklist-test.record';
import { BlacklistTestSupersededError } from './blacklist.errors';
import { type Finding } from './test-outcome';

/** What zones said of a subject, all of them or those that were asked in time. */
export interface NewFinding extends Subject {
  readonly checks: readonly ZoneCheck[];
  readonly complete: boolean;
}

type Named = Pick<BlacklistTestRecord, '_id' | 'workspaceId'>;
type Open = Named & Pick<BlacklistTestRecord, 'expiresAt'>;

/** What tests find out, kept subject by subject: a test that stops anywhere goes on behind what it has. */
@Injectable()
export class TestFindingsRepository {
  constructor(
    @InjectModel(BlacklistTestRecord.name) private readonly tests: Model<BlacklistTestRecord>,
    @InjectModel(BlacklistFindingRecord.name) private readonly findings: Model<BlacklistFindingRecord>,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

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
  async findFindings({ _id, workspaceId }: Named, subjects: readonly string[]): Promise<Map<string, BlacklistFindingRecord>> {
    const found = await this.findings
      .find({ workspaceId, testId: _id, subject: { $in: [...subjects] } })
      .lean<BlacklistFindingRecord[]>();
    return new Map(found.map((finding) => [finding.subject, finding]));
  }

  /** The test is deleted. */
  async removeFindings({ _id, workspaceId }: Named): Promise<void> {
    await this.findings.deleteMany({ workspaceId, testId: _id });
  }

  async #writeFindings({ _id: testId, workspaceId, expiresAt }: Open, found: readonly NewFinding[]): Promise<void> {
    const updatedAt = this.clock.now();
    const operations = found.map(({ subject, kind, checks, complete }) => ({
      updateOne: {
        filter: { workspaceId, testId, subject },
        update: { $set: { kind, ...sortedOut(checks), complete, expiresAt, updatedAt } },
        upsert: true,
      },
    }));
    await rerunOnWriteConflict(() => this.findings.bulkWrite(operations as never, { ordered: false }));
  }
}

function sortedOut(checks: readonly ZoneCheck[]): Pick<BlacklistFindingRecord, 'listings' | 'others' | 'counts'> {
  const of = (result: ZoneCheck['result']) => checks.filter((check) => check.result === result).length;
  return {
    listings: checks.filter(({ result }) => result === 'listed'),
    others: checks.filter(({ result }) => result !== 'listed'),
    counts: { listed: of('listed'), clear: of('clear'), unknown: of('unknown'), zone_broken: of('zone_broken') },
  };
}
