import { MailboxRecord } from '@domain/mailboxes';
import { type Model, Types } from 'mongoose';
import { type SendingFixture } from '../../../sending/testing';
import { WarmupDayRecord } from '../../schemas/warmup-day.record';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';
import { WarmupRecord } from '../../schemas/warmup.record';
import { type WarmMailbox } from './warm-mailboxes';

/** Query options of a test that reads all workspaces. */
export const ALL_WORKSPACES = { allWorkspaces: 'the test reads all workspaces' };

/** Reads the records of warmups. */
export class WarmupRecords {
  constructor(private readonly sending: SendingFixture) {}

  mailbox({ id, workspace: { workspaceId } }: Pick<WarmMailbox, 'id' | 'workspace'>): Promise<MailboxRecord> {
    return this.sending
      .model<MailboxRecord>(MailboxRecord)
      .findOne({ _id: id, workspaceId })
      .orFail()
      .lean<MailboxRecord>();
  }

  get mails(): Model<WarmupMailRecord> {
    return this.sending.model<WarmupMailRecord>(WarmupMailRecord);
  }

  /** The senders' sides in order of time. */
  async sent(filter: object = {}): Promise<WarmupMailRecord[]> {
    return this.mails
      .find({ direction: 'sent', ...filter })
      .setOptions(ALL_WORKSPACES)
      .sort({ at: 1, dueAt: 1, _id: 1 })
      .lean<WarmupMailRecord[]>();
  }

  async sentFrom({ id }: WarmMailbox): Promise<WarmupMailRecord[]> {
    return this.sent({ mailboxId: new Types.ObjectId(id) });
  }

  async warmup({ id, workspace: { workspaceId } }: WarmMailbox): Promise<WarmupRecord> {
    return this.sending
      .model<WarmupRecord>(WarmupRecord)
      .findOne({ _id: id, workspaceId })
      .orFail()
      .lean<WarmupRecord>();
  }

  async days({ id, workspace: { workspaceId } }: WarmMailbox): Promise<WarmupDayRecord[]> {
    return this.sending
      .model<WarmupDayRecord>(WarmupDayRecord)
      .find({ mailboxId: id, workspaceId })
      .sort({ day: 1 })
      .lean<WarmupDayRecord[]>();
  }

  async threads(filter: object = {}): Promise<WarmupThreadRecord[]> {
    return this.sending
      .model<WarmupThreadRecord>(WarmupThreadRecord)
      .find(filter)
      .setOptions(ALL_WORKSPACES)
      .lean<WarmupThreadRecord[]>();
  }

  /** Inserts the answer to a received mail as the receiver plans it. */
  async insertAnswer(mail: WarmupMailRecord, dueAt: Date): Promise<Types.ObjectId> {
    const _id = new Types.ObjectId();
    const { threadId, position, counterpart, workspaceId, mailboxId, day } = mail;
    await this.mails.insertMany([
      {
        _id,
        mailId: _id,
        ...counterpart,
        counterpart: { workspaceId, mailboxId },
        threadId,
        position: position + 1,
        direction: 'sent',
        state: 'planned',
        day,
        dueAt,
      },
    ]);
    return _id;
  }
}
