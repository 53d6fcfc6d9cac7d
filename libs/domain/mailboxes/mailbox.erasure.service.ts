import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type Model, type Types } from 'mongoose';
import { findMailbox } from './mailbox.lookup';
import { MailboxDayRecord } from './schemas/mailbox-day.record';
import { MailboxMessageRecord } from './schemas/mailbox-message.record';
import { MailboxSyncRecord } from './schemas/mailbox-sync.record';
import { MailboxRecord } from './schemas/mailbox.record';

/** All records of a mailbox in this library, for its deletion. */
@Injectable()
export class MailboxErasure {
  constructor(
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    @InjectModel(MailboxDayRecord.name) private readonly days: Model<MailboxDayRecord>,
    @InjectModel(MailboxSyncRecord.name) private readonly syncs: Model<MailboxSyncRecord>,
    @InjectModel(MailboxMessageRecord.name) private readonly messages: Model<MailboxMessageRecord>,
  ) {}

  /** @throws NOT_FOUND */
  find(workspace: WorkspaceScope, mailboxId: string): Promise<MailboxRecord> {
    return findMailbox(this.mailboxes, workspace, mailboxId);
  }

  /** Joins the running transaction. The mailbox goes first: whoever writes to it at the same time is run again, and misses it. */
  async erase({ workspaceId }: WorkspaceScope, mailboxId: Types.ObjectId): Promise<void> {
    await this.mailboxes.deleteOne({ workspaceId, _id: mailboxId });
    await this.syncs.deleteOne({ workspaceId, _id: mailboxId });
    await this.days.deleteMany({ workspaceId, mailboxId });
    await this.messages.deleteMany({ workspaceId, mailboxId });
  }
}
