import { randomBytes } from 'node:crypto';
import { MailboxRepository } from '@domain/mailboxes';
import { WorkspaceLimitsService } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { limitExceeded } from '@platform/errors';
import { type Model, Types } from 'mongoose';
import { BlacklistTestRecord } from '../schemas/blacklist-test.record';

/** Tests of a workspace that are pending or running at one time: each may ask for tens of thousands of names. */
const MAX_OPEN_TESTS = 5;
/** How long a test is kept, with what it found. */
const KEPT_MS = 365 * 86_400_000;

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

/** How tests come to be; whoever asks for one has to plan its job after the transaction. */
@Injectable()
export class TestInsertionService {
  constructor(
    @InjectModel(BlacklistTestRecord.name) private readonly tests: Model<BlacklistTestRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly limits: WorkspaceLimitsService,
    private readonly clock: ClockPort,
  ) {}

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
    const found = await this.mailboxes.listAll(new Types.ObjectId(workspaceId), wanted.mailboxIds);
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
      expiresAt: this.clock.in(KEPT_MS),
    });
    return created.toObject<BlacklistTestRecord>();
  }
}
