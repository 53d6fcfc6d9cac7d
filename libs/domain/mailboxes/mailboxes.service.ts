import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Page, PageService, searchFilter } from '@platform/database';
import { HookRegistry } from '@platform/hooks';
import { type Model } from 'mongoose';
import { type MailboxQuery } from './dto/mailbox-requests.dto';
import { type MailboxResponse, toMailbox } from './dto/mailbox.dto';
import { type MailboxSettingsResponse, toMailboxSettings } from './dto/mailbox-settings.dto';
import { requireMailbox } from './mailbox-lookup';
import { MAILBOX_HOOKS } from './mailbox-hooks';
import { MailboxFiguresService } from './mailbox-figures.service';
import { MailboxSyncRecord } from './schemas/mailbox-sync.record';
import { MailboxRecord } from './schemas/mailbox.record';
import { UnreadableMessageService } from './sync/unreadable-message.service';

/** Fields that no list shows. */
const UNLISTED = ['smtpCredentials', 'imapCredentials', 'oauthCredentials'];

/** Mailboxes as the API shows them. */
@Injectable()
export class MailboxesService {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    @InjectModel(MailboxSyncRecord.name) private readonly syncs: Model<MailboxSyncRecord>,
    private readonly figures: MailboxFiguresService,
    private readonly hooks: HookRegistry,
    private readonly unreadable: UnreadableMessageService,
    private readonly pages: PageService,
  ) {}

  /**
   * Newest first. `search` matches the address and the display name.
   * @param listed identifies another list of the same mailboxes: their cursors are not interchangeable
   */
  async list(workspace: WorkspaceScope, query: MailboxQuery, listed = ''): Promise<Page<MailboxResponse>> {
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
      { scope: workspaceId + listed, filter, without: UNLISTED, page: { limit, cursor } },
      (record) => record,
    );
    const sent = await this.figures.sentToday(workspace, page.items);
    const items = page.items.map((record) => toMailbox(record, sent.get(record._id.toHexString()) ?? 0));
    return { items, pagination: page.pagination };
  }

  /** @throws NOT_FOUND */
  async get(workspace: WorkspaceScope, mailboxId: string): Promise<MailboxResponse> {
    return this.toResponse(workspace, await requireMailbox(this.mailboxes, workspace, mailboxId));
  }

  /** @throws NOT_FOUND */
  async getSettings(workspace: WorkspaceScope, mailboxId: string): Promise<MailboxSettingsResponse> {
    const mailbox = await requireMailbox(this.mailboxes, workspace, mailboxId);
    const { _id, workspaceId } = mailbox;
    const sync = await this.syncs.findOne({ _id, workspaceId }, { syncedAt: 1 }).lean();
    const stops = await this.hooks.call(MAILBOX_HOOKS, 'stopped', workspace, _id.toHexString());
    const stopped = stops.find((stop) => stop !== null) ?? null;
    const unreadable = await this.unreadable.find(workspaceId, _id);
    return toMailboxSettings(mailbox, { lastSyncedAt: sync?.syncedAt ?? null, stopped, unreadable });
  }

  /** Converts a stored mailbox to its API response. */
  async toResponse(workspace: WorkspaceScope, record: MailboxRecord): Promise<MailboxResponse> {
    const sent = await this.figures.sentToday(workspace, [record]);
    return toMailbox(record, sent.get(record._id.toHexString()) ?? 0);
  }

  /** Notifies the hooks of a change, then returns the mailbox. Not inside a transaction. */
  async notifyAndGet(workspace: WorkspaceScope, record: MailboxRecord): Promise<MailboxResponse> {
    await this.hooks.call(MAILBOX_HOOKS, 'changed', workspace, record._id.toHexString());
    return this.toResponse(workspace, record);
  }
}
