import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { Clock } from '@platform/clock';
import { type Page, Pages, searchFilter, Transactions } from '@platform/database';
import { type Model } from 'mongoose';
import { type MailboxQuery } from './dto/mailbox.requests';
import { type MailboxResponse, toMailbox } from './dto/mailbox.dto';
import { type MailboxSettingsResponse, toMailboxSettings } from './dto/mailbox-settings.dto';
import { auditTarget } from './mailbox.audit';
import { findMailbox } from './mailbox.lookup';
import { statusOf } from './mailbox.status';
import { MailboxFigures } from './mailboxes.figures.service';
import { MailboxSyncRecord } from './schemas/mailbox-sync.record';
import { MailboxRecord } from './schemas/mailbox.record';

/** Fields that no list shows. */
const UNLISTED = ['smtpCredentials', 'imapCredentials', 'oauthCredentials'];

/** Mailboxes as their users see them: reading, pausing and resuming. */
@Injectable()
export class MailboxesService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    @InjectModel(MailboxSyncRecord.name) private readonly syncs: Model<MailboxSyncRecord>,
    private readonly figures: MailboxFigures,
    private readonly audit: AuditService,
    private readonly transactions: Transactions,
    private readonly pages: Pages,
    private readonly clock: Clock,
  ) {}

  /** Newest first. `search` looks in the address and the display name. */
  async list(workspace: WorkspaceScope, query: MailboxQuery): Promise<Page<MailboxResponse>> {
    const { workspaceId } = workspace;
    const { status, provider, tag, search, limit, cursor } = query;
    const filter = {
      workspaceId,
      ...(status === undefined ? {} : { status }),
      ...(provider === undefined ? {} : { provider }),
      ...(tag === undefined ? {} : { tags: tag }),
      ...searchFilter(search, ['email', 'displayName']),
    };
    const page = await this.pages.read(
      this.mailboxes,
      { scope: workspaceId, filter, without: UNLISTED, page: { limit, cursor } },
      (record) => record,
    );
    const sent = await this.figures.sentToday(workspace, page.items);
    const items = page.items.map((record) => toMailbox(record, sent.get(record._id.toHexString()) ?? 0));
    return { items, pagination: page.pagination };
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, mailboxId: string): Promise<MailboxResponse> {
    return this.shown(workspace, await findMailbox(this.mailboxes, workspace, mailboxId));
  }

  /** @throws NOT_FOUND */
  async settings(workspace: WorkspaceScope, mailboxId: string): Promise<MailboxSettingsResponse> {
    const mailbox = await findMailbox(this.mailboxes, workspace, mailboxId);
    const { _id, workspaceId } = mailbox;
    const sync = await this.syncs.findOne({ _id, workspaceId }, { syncedAt: 1 }).lean();
    return toMailboxSettings(mailbox, sync?.syncedAt ?? null);
  }

  /** Nothing is sent from it until it is resumed; mail is still read. Pausing again changes nothing. @throws NOT_FOUND */
  async pause(workspace: WorkspaceScope, mailboxId: string): Promise<MailboxResponse> {
    return this.#setPaused(workspace, mailboxId, this.clock.now());
  }

  /** Undoes a pause, and no more: a mailbox that is disconnected stays so. @throws NOT_FOUND */
  async resume(workspace: WorkspaceScope, mailboxId: string): Promise<MailboxResponse> {
    return this.#setPaused(workspace, mailboxId, null);
  }

  /** A stored mailbox as the API shows it. */
  async shown(workspace: WorkspaceScope, record: MailboxRecord): Promise<MailboxResponse> {
    const sent = await this.figures.sentToday(workspace, [record]);
    return toMailbox(record, sent.get(record._id.toHexString()) ?? 0);
  }

  async #setPaused(workspace: WorkspaceScope, mailboxId: string, pausedAt: Date | null): Promise<MailboxResponse> {
    const record = await this.transactions.run(async () => {
      const before = await findMailbox(this.mailboxes, workspace, mailboxId);
      const { _id, workspaceId, connection } = before;
      if ((before.pausedAt === null) === (pausedAt === null)) return before;
      const status = statusOf(pausedAt !== null, connection.state);
      const after = await this.mailboxes
        .findOneAndUpdate({ _id, workspaceId }, { $set: { pausedAt, status } }, { returnDocument: 'after' })
        .lean<MailboxRecord>()
        .orFail();
      const action = pausedAt === null ? 'mailbox.resumed' : 'mailbox.paused';
      await this.audit.record(workspace, { action, target: auditTarget(_id) });
      return after;
    });
    return this.shown(workspace, record);
  }
}
