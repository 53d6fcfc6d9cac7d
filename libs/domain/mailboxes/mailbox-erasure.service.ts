import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { requireMailbox } from './mailbox-lookup';
import { MailboxHookRegistry } from './mailbox-hook.registry';
import { MailboxDayRecord } from './schemas/mailbox-day.record';
import { MailboxMessageRecord } from './schemas/mailbox-message.record';
import { MailboxSyncRecord } from './schemas/mailbox-sync.record';
import { MailboxRecord } from './schemas/mailbox.record';

/** Records that are erased at once. */
const BATCH = 1_000;
/** For how long it is remembered that a mailbox was deleted: longer than anybody goes on reading one that is gone. */
const REMEMBERED_MS = 3_600_000;

/** All records of a mailbox in this library, for its deletion. */
@Injectable()
export class MailboxErasureService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    @InjectModel(MailboxDayRecord.name) private readonly days: Model<MailboxDayRecord>,
    @InjectModel(MailboxSyncRecord.name) private readonly syncs: Model<MailboxSyncRecord>,
    @InjectModel(MailboxMessageRecord.name) private readonly messages: Model<MailboxMessageRecord>,
    private readonly uses: MailboxHookRegistry,
    private readonly clock: ClockPort,
  ) {}

  /** @throws NOT_FOUND */
  find(workspace: WorkspaceScope, mailboxId: string): Promise<MailboxRecord> {
    return requireMailbox(this.mailboxes, workspace, mailboxId);
  }

  /**
   * Removes the mailbox with its credentials; joins the running transaction. What there may be hundreds of thousands of,
   * no transaction bears: the sync record becomes a mark by which `clear` finds it, and by which nobody takes mail in any
   * more.
   */
  async erase({ workspaceId }: WorkspaceScope, mailboxId: Types.ObjectId): Promise<void> {
    const now = this.clock.now();
    await this.mailboxes.deleteOne({ workspaceId, _id: mailboxId });
    await rerunOnWriteConflict(() =>
      this.syncs.updateOne(
        { workspaceId, _id: mailboxId },
        { $set: { deletedAt: now, cursor: null }, $setOnInsert: { since: now } },
        { upsert: true },
      ),
    );
  }

  /**
   * Erases in batches what deleted mailboxes left behind; interrupted anywhere, the next run goes on. A mark stays for an
   * hour, so that whatever still wrote for the mailbox is erased too.
   */
  async eraseDeleted(signal: AbortSignal): Promise<void> {
    const forgottenBy = new Date(this.clock.now().getTime() - REMEMBERED_MS);
    const deleted = this.syncs
      .find({ deletedAt: { $gt: new Date(0) } }, { workspaceId: 1, deletedAt: 1 })
      .setOptions({ allWorkspaces: 'the worker clears up after the mailboxes of all workspaces' })
      .sort({ deletedAt: 1 })
      .lean()
      .cursor();
    for await (const { _id, workspaceId, deletedAt } of deleted) {
      await eraseAll(this.messages, { workspaceId, mailboxId: _id }, signal);
      await eraseAll(this.days, { workspaceId, mailboxId: _id }, signal);
      await this.uses.erase({ workspaceId: workspaceId.toHexString() }, _id.toHexString(), signal);
      if (deletedAt && deletedAt <= forgottenBy) await this.syncs.deleteOne({ _id, workspaceId });
    }
  }
}

async function eraseAll<R extends MailboxDayRecord | MailboxMessageRecord>(
  records: Model<R>,
  mailbox: Pick<R, 'workspaceId' | 'mailboxId'>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const batch = await records
      .find(mailbox as never, { _id: 1 })
      .limit(BATCH)
      .lean<Pick<R, '_id'>[]>();
    if (batch.length === 0) return;
    await records.deleteMany({ ...mailbox, _id: { $in: batch.map(({ _id }) => _id) } } as never);
  }
}
