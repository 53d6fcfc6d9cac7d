import { type MailboxMessageRecord } from '@domain/mailboxes';
import { type InboxFixture } from '../../../../inbox/testing';
import { WarmupDayRecord } from '../../../schemas/warmup-day.record';
import { WarmupMailRecord } from '../../../schemas/warmup-mail.record';
import { DAY } from './warmup-deliveries';
import { type Member } from './warmup-members';

/** Reads the records that tests check. */
export class ReceivingRecords {
  constructor(private readonly inbox: InboxFixture) {}

  async senderSide({ _id, workspaceId }: Pick<WarmupMailRecord, '_id' | 'workspaceId'>): Promise<WarmupMailRecord> {
    return this.inbox
      .model<WarmupMailRecord>(WarmupMailRecord)
      .findOne({ _id, workspaceId })
      .orFail()
      .lean<WarmupMailRecord>();
  }

  /** null until the mail is found. */
  async receiverSide({ mailId, counterpart }: WarmupMailRecord): Promise<WarmupMailRecord | null> {
    const { workspaceId } = counterpart;
    return this.inbox
      .model<WarmupMailRecord>(WarmupMailRecord)
      .findOne({ mailId, workspaceId, direction: 'received' })
      .lean<WarmupMailRecord>();
  }

  /** The planned mails of a mailbox by due time. */
  async planned({ workspace: { workspaceId }, mailbox }: Member): Promise<WarmupMailRecord[]> {
    return this.inbox
      .model<WarmupMailRecord>(WarmupMailRecord)
      .find({ workspaceId, mailboxId: mailbox._id, state: 'planned' })
      .sort({ dueAt: 1 })
      .lean<WarmupMailRecord[]>();
  }

  /** The non-zero figures of a mailbox on a day. */
  async figures({ workspace: { workspaceId }, mailbox }: Member, day = DAY): Promise<Record<string, number>> {
    const found = await this.inbox
      .model<WarmupDayRecord>(WarmupDayRecord)
      .findOne({ workspaceId, mailboxId: mailbox._id, day })
      .lean<WarmupDayRecord>();
    const entries = Object.entries(found ?? {}).filter(([name, value]) => name !== '__v' && typeof value === 'number');
    return Object.fromEntries(entries.filter(([, value]) => value !== 0)) as Record<string, number>;
  }

  /** Verdict and rule of each message in the workspace of the mailbox. */
  async classifications({ workspace }: Member): Promise<Pick<MailboxMessageRecord, 'verdict' | 'rule'>[]> {
    this.inbox.workspace = workspace;
    return (await this.inbox.messages()).map(({ verdict, rule }) => ({ verdict, rule }));
  }

  /** The number of conversations, messages and events in the workspace. */
  async countVisible({ workspace }: Member): Promise<number> {
    this.inbox.workspace = workspace;
    const all = await Promise.all([this.inbox.conversations(), this.inbox.said(), this.inbox.events()]);
    return all.flat().length;
  }
}
