import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { notFound } from '@platform/errors';
import { type Model, type Types } from 'mongoose';
import { requireMailbox } from './mailbox-lookup';
import { MailboxRecord, type MailboxWarmup } from './schemas/mailbox.record';

/** What is to know of a mailbox that others write to. */
export type WarmupReadiness = Pick<MailboxRecord, '_id' | 'email' | 'dailySendLimit'>;

type Workspace = Pick<WorkspaceScope, 'workspaceId'>;

/** Mailboxes for the domain that warms them up, and what they show of it. */
@Injectable()
export class MailboxWarmupsRepository {
  constructor(@InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>) {}

  /** @throws NOT_FOUND, also for a malformed id and another workspace's */
  require(workspace: Workspace, mailboxId: string): Promise<MailboxRecord> {
    return requireMailbox(this.mailboxes, workspace, mailboxId);
  }

  /** Those of the mailboxes that are connected and may send, by id; they may be of any workspace. */
  async listWarmupReady(mailboxIds: readonly Types.ObjectId[]): Promise<Map<string, WarmupReadiness>> {
    const found = await this.mailboxes
      .find({ _id: { $in: [...mailboxIds] }, status: 'active', sendingEnabled: true }, { email: 1, dailySendLimit: 1 })
      .setOptions({ allWorkspaces: 'mailboxes of the whole installation write to each other' })
      .lean<WarmupReadiness[]>();
    return new Map(found.map((mailbox) => [mailbox._id.toHexString(), mailbox]));
  }

  /**
   * Writes what the mailbox shows of its warmup; joins the running transaction, so that of it and a deletion of the mailbox one
   * is run again and sees the other. The mailbox does not count as changed.
   * @throws NOT_FOUND for one that is gone
   */
  async writeWarmup({ workspaceId }: Workspace, mailboxId: Types.ObjectId, warmup: MailboxWarmup): Promise<void> {
    const { matchedCount } = await this.mailboxes.updateOne(
      { workspaceId, _id: mailboxId },
      { $set: { warmup } },
      { timestamps: false },
    );
    if (matchedCount === 0) throw notFound('Mailbox');
  }
}
