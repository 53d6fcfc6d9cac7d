import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { EventsService } from '@domain/events';
import { type MessageResponse } from '@domain/identity';
import { MailSessionPool } from '@adapters/mail';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict, TransactionService } from '@platform/database';
import { conflict } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { type Model, type Types } from 'mongoose';
import { type DeleteMailboxQuery } from './dto/mailbox-requests.dto';
import { toMailboxTarget } from './mailbox-audit';
import { MAILBOX_HOOKS, type UsingCampaign } from './mailbox-hooks';
import { requireMailbox } from './mailbox-lookup';
import { MailboxDayRecord } from './schemas/mailbox-day.record';
import { MailboxMessageRecord } from './schemas/mailbox-message.record';
import { MailboxSyncRecord } from './schemas/mailbox-sync.record';
import { MailboxRecord } from './schemas/mailbox.record';

const NAMED_CAMPAIGNS = 5;
/** Records erased per command. */
const BATCH = 1_000;
/** How long the mark of a deleted mailbox stays: longer than any reader continues with a deleted mailbox. */
const MARK_RETENTION_MS = 3_600_000;

/** Deletes mailboxes. Events, audit entries and sent messages stay. */
@Injectable()
export class MailboxDeletionService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    @InjectModel(MailboxDayRecord.name) private readonly days: Model<MailboxDayRecord>,
    @InjectModel(MailboxSyncRecord.name) private readonly syncs: Model<MailboxSyncRecord>,
    @InjectModel(MailboxMessageRecord.name) private readonly messages: Model<MailboxMessageRecord>,
    private readonly hooks: HookRegistry,
    private readonly sessions: MailSessionPool,
    private readonly audit: AuditService,
    private readonly events: EventsService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Removes the mailbox, its credentials and the records that have no use without it.
   * @throws NOT_FOUND, CONFLICT naming the active campaigns that send from it, unless `force` is set
   */
  async delete(
    workspace: WorkspaceScope,
    mailboxId: string,
    { force = 'false' }: DeleteMailboxQuery,
  ): Promise<MessageResponse> {
    const id = await this.transactions.run(async () => {
      const { _id, email } = await requireMailbox(this.mailboxes, workspace, mailboxId);
      const id = _id.toHexString();
      const campaigns = (await this.hooks.call(MAILBOX_HOOKS, 'activeCampaigns', workspace, id)).flat();
      if (campaigns.length > 0 && force !== 'true') throw conflict(describeUse(campaigns));
      await this.hooks.call(MAILBOX_HOOKS, 'released', workspace, id);
      await this.#erase(workspace, _id);
      const changes = { email: { from: email, to: null } };
      await this.audit.record(workspace, { action: 'mailbox.deleted', target: toMailboxTarget(_id), changes });
      await this.events.record(workspace, {
        type: 'mailbox.deleted',
        dedupeKey: `mailbox.deleted:${id}`,
        about: { mailboxId: id },
        data: { email },
      });
      return id;
    });
    // Other processes close their sessions when they next read the mailbox.
    await this.sessions.forget(id);
    return { message: 'Mailbox deleted' };
  }

  /**
   * Erases in batches the records of deleted mailboxes. An interrupted run is continued by the next one. A mark stays for an
   * hour, so that records written late are erased too.
   */
  async eraseDeleted(signal: AbortSignal): Promise<void> {
    const markedBefore = new Date(this.clock.now().getTime() - MARK_RETENTION_MS);
    const deleted = this.syncs
      .find({ deletedAt: { $gt: new Date(0) } }, { workspaceId: 1, deletedAt: 1 })
      .setOptions({ allWorkspaces: 'the worker erases deleted mailboxes of all workspaces' })
      .sort({ deletedAt: 1 })
      .lean()
      .cursor();
    for await (const { _id, workspaceId, deletedAt } of deleted) {
      await eraseAll(this.messages, { workspaceId, mailboxId: _id }, signal);
      await eraseAll(this.days, { workspaceId, mailboxId: _id }, signal);
      await this.hooks.call(
        MAILBOX_HOOKS,
        'eraseMailbox',
        { workspaceId: workspaceId.toHexString() },
        _id.toHexString(),
        signal,
      );
      if (deletedAt && deletedAt <= markedBefore) await this.syncs.deleteOne({ _id, workspaceId });
    }
  }

  /**
   * Removes the mailbox in the running transaction. One transaction cannot hold the hundreds of thousands of other records:
   * the sync record becomes a mark, by which `eraseDeleted` finds them and by which no reader stores mail any more.
   */
  async #erase({ workspaceId }: WorkspaceScope, mailboxId: Types.ObjectId): Promise<void> {
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
}

function describeUse(campaigns: readonly UsingCampaign[]): string {
  const names = campaigns.slice(0, NAMED_CAMPAIGNS).map(({ id, name }) => `${name} (${id})`);
  const more = campaigns.length > NAMED_CAMPAIGNS ? ` and ${campaigns.length - NAMED_CAMPAIGNS} more` : '';
  return `Active campaigns send from this mailbox: ${names.join(', ')}${more}. Pause them, or delete with force=true`;
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
