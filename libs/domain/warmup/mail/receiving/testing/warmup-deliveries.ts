import { Types } from 'mongoose';
import { type FakeMailbox } from '../../../../../adapters/mail/testing';
import { type InboxFixture } from '../../../../inbox/testing';
import { WarmupMailRecord } from '../../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../../schemas/warmup-thread.record';
import { WARMUP_HEADER, WarmupHeaderService } from '../../../warmup-header.service';
import { type Member } from './warmup-members';

/** The day of all mails, `YYYY-MM-DD`. */
export const DAY = '2026-11-25';

/** Differences between the received message and the sent one. */
interface ArrivingMail {
  readonly folder?: 'inbox' | 'junk' | 'promotions';
  readonly messageId?: string;
  readonly from?: string;
  /** The value of the signed header; null for none. */
  readonly token?: string | null;
  readonly headers?: string;
}

/** Sends and delivers mail between warmup mailboxes. */
export class WarmupDeliveries {
  constructor(private readonly inbox: InboxFixture) {}

  box({ mailbox }: Member): FakeMailbox {
    return this.inbox.driver.mailbox(mailbox.email);
  }

  /** Records a mail that the server accepted a minute ago, as an answer to `before` if given. */
  async send(
    from: Member,
    to: Member,
    more: Partial<WarmupMailRecord> = {},
    before?: WarmupMailRecord,
  ): Promise<WarmupMailRecord> {
    const _id = new Types.ObjectId();
    const threadId = before?.threadId ?? new Types.ObjectId();
    const messageId = `<${_id.toHexString()}@senders.test>`;
    const owner = ownerOf(from);
    const counterpart = ownerOf(to);
    if (!before) {
      const thread = {
        _id: threadId,
        ...owner,
        counterpart,
        day: DAY,
        ordinal: Math.random(),
        language: 'en',
        seed: 's',
      };
      await this.inbox.model(WarmupThreadRecord).insertMany([{ ...thread, messageIds: [messageId] }]);
    }
    const mail = {
      _id,
      mailId: _id,
      threadId,
      ...owner,
      counterpart,
      direction: 'sent',
      position: before ? before.position + 1 : 0,
      state: 'sent',
      day: DAY,
      subject: 'Lunch on Friday',
      messageId,
      attempt: 1,
      at: this.inbox.clock.in(-60_000),
      ...more,
    };
    await this.inbox.model(WarmupMailRecord).insertMany([mail as never]);
    const { workspaceId } = owner;
    const sides = this.inbox.model<WarmupMailRecord>(WarmupMailRecord);
    return sides.findOne({ _id, workspaceId }).orFail().lean<WarmupMailRecord>();
  }

  /** The signed header value of a mail. */
  token({ _id }: Pick<WarmupMailRecord, '_id'>, from: Member, to: Member): string {
    return this.inbox
      .get(WarmupHeaderService)
      .sign(_id.toHexString(), { from: from.mailbox.email, to: to.mailbox.email });
  }

  /** Delivers the message of a mail and reads the mailbox. */
  async deliver(
    mail: Pick<WarmupMailRecord, '_id' | 'messageId'>,
    from: Member,
    to: Member,
    arriving: ArrivingMail = {},
  ): Promise<void> {
    await this.deliverUnread(mail, from, to, arriving);
    await this.read(to);
  }

  /** Delivers the message of a mail without reading the mailbox. */
  async deliverUnread(
    mail: Pick<WarmupMailRecord, '_id' | 'messageId'>,
    from: Member,
    to: Member,
    arriving: ArrivingMail = {},
  ): Promise<void> {
    const { folder = 'inbox', token = this.token(mail, from, to) } = arriving;
    const raw = [
      ...(arriving.headers ? [arriving.headers] : []),
      `From: Grace <${arriving.from ?? from.mailbox.email}>`,
      `To: ${to.mailbox.email}`,
      `Message-ID: ${arriving.messageId ?? mail.messageId}`,
      ...(token === null ? [] : [`${WARMUP_HEADER}: ${token}`]),
      'Subject: Lunch on Friday',
      'Date: Wed, 25 Nov 2026 11:59:00 +0000',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Shall we have lunch?',
      '',
    ];
    await this.box(to).deliver(Buffer.from(raw.join('\r\n')), folder, this.inbox.clock.now());
  }

  /** Delivers any other message and reads the mailbox. */
  async deliverRaw(raw: string, to: Member): Promise<void> {
    await this.box(to).deliver(Buffer.from(raw.replaceAll('\n', '\r\n')), 'inbox', this.inbox.clock.now());
    await this.read(to);
  }

  /** Runs mail intake for the mailbox. */
  async read({ workspace, mailbox }: Member): Promise<void> {
    this.inbox.workspace = workspace;
    this.inbox.mailbox = mailbox;
    await this.inbox.look();
  }
}

function ownerOf({ mailbox }: Member) {
  return { workspaceId: mailbox.workspaceId, mailboxId: mailbox._id };
}
