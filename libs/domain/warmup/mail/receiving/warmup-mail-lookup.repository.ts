import { MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { type Model, type Types } from 'mongoose';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';

type Mailbox = { readonly _id: Types.ObjectId; readonly workspaceId: Types.ObjectId };

const CROSSING = 'a mailbox gets mail of mailboxes of other workspaces';
/** Reports come within that time: most servers give up after five days. */
const REPORTED_WITHIN_MS = 5 * 86_400_000;

/** Finds warmup mails by what messages say of them. */
@Injectable()
export class WarmupMailLookupRepository {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly mailboxes: MailboxRepository,
    private readonly clock: ClockPort,
  ) {}

  /** The sender's side of mails, by Message-ID. Ids of other mails do no harm. */
  async findByMessageIds(messageIds: readonly string[]): Promise<ReadonlyMap<string, WarmupMailRecord>> {
    const asked = messageIds.filter((id) => id !== '');
    if (asked.length === 0) return new Map();
    const found = await this.mails
      .find({ messageId: { $in: asked, $gt: '' }, direction: 'sent' })
      .setOptions({ allWorkspaces: CROSSING })
      .lean<WarmupMailRecord[]>();
    return new Map(found.map((mail) => [mail.messageId, mail]));
  }

  /** The sender's side of a mail; null when it is gone with its mailbox. */
  async find(mailId: string): Promise<WarmupMailRecord | null> {
    return this.mails
      .findOne({ _id: mailId, direction: 'sent' })
      .setOptions({ allWorkspaces: CROSSING })
      .lean<WarmupMailRecord>();
  }

  /** Of messages, the ids (hex) of those under which a mail is on record that was found before, by id of the mail. */
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

  /** Addresses, in lower case, of the mailboxes that sent these mails, by id of the mailbox. */
  async findSenderAddresses(mails: readonly WarmupMailRecord[]): Promise<ReadonlyMap<string, string>> {
    const addresses = await this.mailboxes.addresses(mails.map(({ mailboxId }) => mailboxId));
    return new Map([...addresses].map(([id, address]) => [id, address.toLowerCase()]));
  }

  /**
   * The last mail of a mailbox to one of these addresses that was not found yet: what a report is about that gives nothing of
   * its message back.
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
    const wanted = new Set(recipients.map((recipient) => recipient.toLowerCase()));
    const addressOf = ({ counterpart }: WarmupMailRecord) => addresses.get(counterpart.mailboxId.toHexString());
    return sent.find((mail) => wanted.has(addressOf(mail)?.toLowerCase() ?? '')) ?? null;
  }
}
