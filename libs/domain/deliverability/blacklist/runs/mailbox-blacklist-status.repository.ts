import { type NewEvent } from '@domain/events';
import { MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { BlacklistFindingRecord } from '../schemas/blacklist-finding.record';
import { type BlacklistTestRecord } from '../schemas/blacklist-test.record';
import { MailboxBlacklistStatusRecord, type CurrentListing } from '../schemas/mailbox-blacklist-status.record';
import { nextBlacklistStatus } from './mailbox-blacklist-status';
import { type MailboxOutcome } from './test-outcome';

type Test = Pick<BlacklistTestRecord, '_id' | 'workspaceId'>;
/** Status of a mailbox by its last test. */
export type MailboxBlacklistStatus = Pick<MailboxBlacklistStatusRecord, 'listings' | 'testedAt' | 'testId'>;

/** Blacklist status of mailboxes by their last tests. */
@Injectable()
export class MailboxBlacklistStatusRepository {
  constructor(
    @InjectModel(MailboxBlacklistStatusRecord.name) private readonly statuses: Model<MailboxBlacklistStatusRecord>,
    @InjectModel(BlacklistFindingRecord.name) private readonly findings: Model<BlacklistFindingRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly clock: ClockPort,
  ) {}

  /** By mailbox id; mailboxes without a test are missing. */
  async find(
    workspaceId: Types.ObjectId,
    mailboxIds: readonly Types.ObjectId[],
  ): Promise<Map<string, MailboxBlacklistStatus>> {
    const found = await this.statuses
      .find({ workspaceId, _id: { $in: [...mailboxIds] } })
      .lean<MailboxBlacklistStatusRecord[]>();
    return new Map(found.map((status) => [status._id.toHexString(), status]));
  }

  /**
   * Writes the status of the mailboxes after a test. Joins the transaction that ends the test.
   * @returns an event for each mailbox that becomes listed
   */
  async apply(test: Test, outcomes: readonly MailboxOutcome[]): Promise<NewEvent[]> {
    const ids = outcomes.map(({ mailbox }) => mailbox.mailboxId);
    const addresses = await this.mailboxes.addresses(ids);
    const before = await this.find(test.workspaceId, ids);
    const clear = await this.#listClear(
      test,
      [...before.values()].flatMap(({ listings }) => listings),
    );
    const changes = outcomes
      .filter(({ mailbox, verdict }) => verdict !== 'unknown' && addresses.has(mailbox.mailboxId.toHexString()))
      .map((outcome) => {
        const known = before.get(outcome.mailbox.mailboxId.toHexString())?.listings ?? [];
        return { ...outcome.mailbox, ...nextBlacklistStatus(known, outcome, clear) };
      });
    await this.#write(test, changes);
    return changes
      .filter(({ becomesListedIn }) => becomesListedIn.length > 0)
      .map(({ mailboxId, email, becomesListedIn }) => {
        const id = mailboxId.toHexString();
        return {
          type: 'mailbox.blacklisted',
          dedupeKey: `mailbox.blacklisted:${id}:${test._id.toHexString()}`,
          about: { mailboxId: id },
          data: { mailboxId: id, email, zones: becomesListedIn, testId: test._id.toHexString() },
        };
      });
  }

  /** Joins the transaction that deletes the mailbox. */
  async forget(workspaceId: string, mailboxId: string): Promise<void> {
    await this.statuses.deleteOne({ workspaceId, _id: mailboxId });
  }

  async #write(
    { _id: testId, workspaceId }: Test,
    changes: readonly { mailboxId: Types.ObjectId; listings: CurrentListing[] }[],
  ): Promise<void> {
    if (changes.length === 0) return;
    const testedAt = this.clock.now();
    const operations = changes.map(({ mailboxId, listings }) => ({
      updateOne: {
        filter: { workspaceId, _id: mailboxId },
        update: { $set: { listings, testId, testedAt } },
        upsert: true,
      },
    }));
    await rerunOnWriteConflict(() => this.statuses.bulkWrite(operations as never, { ordered: false }));
  }

  /** Zones by subject that answered in this test that they do not list it, for formerly listed subjects. */
  async #listClear(
    { _id: testId, workspaceId }: Test,
    listed: readonly CurrentListing[],
  ): Promise<Map<string, Set<string>>> {
    const subjects = [...new Set(listed.map(({ subject }) => subject))];
    const found = await this.findings
      .find({ workspaceId, testId, subject: { $in: subjects } })
      .lean<BlacklistFindingRecord[]>();
    return new Map(
      found.map(({ subject, others }) => [
        subject,
        new Set(others.filter(({ result }) => result === 'clear').map(({ zone }) => zone)),
      ]),
    );
  }
}
