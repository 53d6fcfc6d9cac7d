import { MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model, type Types } from 'mongoose';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';

type Mailbox = { readonly _id: Types.ObjectId; readonly workspaceId: Types.ObjectId };

const CROSSING = 'a mailbox receives mail from mailboxes of other workspaces';
/** Reports arrive within this time: most servers give up after five days. */
const REPORTED_WITHIN_MS = 5 * 86_400_000;

/** Finds warmup mails by the fields of messages. */
@Injectable()
export class WarmupMailLookupRepository {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly clock: ClockPort,
  ) {}

  /** Finds sender's sides by Message-ID. Unknown ids are ignored. */
  async findByMessageIds(messageIds: readonly string[]): Promise<ReadonlyMap<string, WarmupMailRecord>> {
    const ids = messageIds.filter((id) => id !== '');
    if (ids.length === 0) return new Map();
    const found = await this.mails
      .find({ messageId: { $in: ids, $gt: '' }, direction: 'sent' })
      .setOptions({ allWorkspaces: CROSSING })
      .lean<WarmupMailRecord[]>();
    return new Map(found.map((mail) => [mail.messageId, mail]));
  }

  /** Finds the sender's side of a mail; null after its mailbox was deleted. */
  async find(mailId: string): Promise<WarmupMailRecord | null> {
    return this.mails
      .findOne({ _id: mailId, direction: 'sent' })
      .setOptions({ allWorkspaces: CROSSING })
      .lean<WarmupMailRecord>();
  }

  /** Returns the recorded message id (hex) of each mail that was found before, by mail id. */
  async findRecorded(
    { workspaceId }: Mailbox,
    mails: readonly WarmupMailRecord[],
  ): Promise<ReadonlyMap<string, string>> {
    const threadId = { $in: mails.map((mail) => mail.threadId) };
    const found = await this.mails
      .find({ threadId, direction: 'received', workspaceId }, { mailId: 1 })
      .lean<Pick<WarmupMailRecord, '_id' | 'mailId'>[]>();
    return new Map(found.map(({ _id, mailId }) => [mailId.toHexString(), _id.toHexString()]));
  }

  /** Returns the addresses, in lower case, of the senders, by mailbox id. */
  async findSenderAddresses(mails: readonly WarmupMailRecord[]): Promise<ReadonlyMap<string, string>> {
    const addresses = await this.mailboxes.addresses(mails.map(({ mailboxId }) => mailboxId));
    return new Map([...addresses].map(([id, address]) => [id, address.toLowerCase()]));
  }

  /**
   * Finds the latest unfound mail of a mailbox to one of these addresses: the subject of a report that returns no part of its
   * message.
   */
  async findLastTo(mailbox: Mailbox, recipients: readonly string[]): Promise<WarmupMailRecord | null> {
    if (recipients.length === 0) return null;
    const { _id: mailboxId, workspaceId } = mailbox;
    const lately = { $gt: this.clock.in(-REPORTED_WITHIN_MS) };
    const sent = await this.mails
      .find({ workspaceId, mailboxId, at: lately, direction: 'sent', receivedAt: null })
      .sort({ at: -1, _id: -1 })
      .lean<WarmupMailRecord[]>();
    const addresses = await this.mailboxes.addresses(sent.map(({ counterpart }) => counterpart.mailboxId));
    const accepted = new Set(recipients.map((recipient) => recipient.toLowerCase()));
    const addressOf = ({ counterpart }: WarmupMailRecord) => addresses.get(counterpart.mailboxId.toHexString());
    return sent.find((mail) => accepted.has(addressOf(mail)?.toLowerCase() ?? '')) ?? null;
  }
}
