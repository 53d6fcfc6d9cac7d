import { type WorkspaceScope } from '@domain/access';
import { type MailboxMessageRecord, MailboxRecord } from '@domain/mailboxes';
import { type FakeClock } from '@testing';
import { Types } from 'mongoose';
import { type FakeMailbox } from '../../../../../adapters/mail/testing';
import { InboxFixture } from '../../../../inbox/testing';
import { insertLike, stored } from '../../../../sending/testing';
import { WarmupsService } from '../../../config/warmups.service';
import { WarmupDayRecord } from '../../../schemas/warmup-day.record';
import { WarmupMailRecord } from '../../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../../schemas/warmup-thread.record';
import { type WarmupConfig, WarmupRecord } from '../../../schemas/warmup.record';
import { WARMUP_HEADER, WarmupHeaderService } from '../../../warmup-header.service';
import { WarmupModule } from '../../../warmup.module';

/** A mailbox in warmup. */
export interface Member {
  readonly workspace: WorkspaceScope;
  readonly mailbox: MailboxRecord;
}

/** How a mail arrives; what is left out is as its sender wrote it. */
interface Arriving {
  readonly folder?: 'inbox' | 'junk' | 'promotions';
  readonly messageId?: string;
  readonly from?: string;
  /** Value of the signed header; null for none. */
  readonly token?: string | null;
  readonly headers?: string;
}

const DAY = '2026-11-25';
const REPLY_NEVER = { inbox: { min: 0, max: 0 }, promotions: { min: 0, max: 0 }, spam: 0 };

/** A mailbox in warmup as the service has started it. */
interface First {
  readonly at: number;
  readonly record: Pick<WarmupRecord, keyof WarmupRecord>;
  readonly warmup: MailboxRecord['warmup'];
}

/** Mailboxes in memory that warm each other up, at noon of a Wednesday; nothing is sent but what a spec says. */
export class ReceivingFixture {
  /** Of the first mailbox that was put into warmup at a time. */
  #first: First | null = null;

  private constructor(readonly inbox: InboxFixture) {}

  static async open(): Promise<ReceivingFixture> {
    const fixture = new ReceivingFixture(await InboxFixture.open({}, [WarmupModule]));
    return fixture;
  }

  close(): Promise<void> {
    return this.inbox.close();
  }

  get clock(): FakeClock {
    return this.inbox.clock;
  }

  get<T>(service: abstract new (...args: never[]) => T): T {
    return this.inbox.get(service);
  }

  /** A mailbox in warmup that answers nothing, in a workspace of its own. */
  async member(config: Partial<WarmupConfig> = {}): Promise<Member> {
    await this.inbox.fresh();
    return this.#warmed(this.inbox.workspace, this.inbox.mailbox, config);
  }

  /** One more mailbox of a workspace. */
  async colleague({ workspace }: Pick<Member, 'workspace'>, config: Partial<WarmupConfig> = {}): Promise<Member> {
    this.inbox.workspace = workspace;
    return this.#warmed(workspace, await this.inbox.connected(), config);
  }

  /** Puts a mailbox into warmup: by the service, or like the first one that it has started at this time. */
  async #warmed(workspace: WorkspaceScope, mailbox: MailboxRecord, config: Partial<WarmupConfig>): Promise<Member> {
    const at = this.clock.now().getTime();
    const { _id, workspaceId } = mailbox;
    const [warmups, mailboxes] = [this.inbox.model(WarmupRecord), this.inbox.model<MailboxRecord>(MailboxRecord)];
    if (this.#first?.at === at) {
      const { record, warmup } = this.#first;
      const own = { ...record, config: { ...record.config, replyRates: REPLY_NEVER, ...config } };
      const ids = new Map([
        [record._id.toHexString(), _id],
        [record.workspaceId.toHexString(), workspaceId],
      ]);
      await insertLike(this.inbox.model<First['record']>(WarmupRecord), [own], ids);
      await mailboxes.updateOne({ _id, workspaceId }, { $set: { warmup } });
      return { workspace, mailbox };
    }
    await this.get(WarmupsService).start(workspace, _id.toHexString());
    const [record] = await stored(this.inbox.model<First['record']>(WarmupRecord), { _id });
    const { warmup } = await mailboxes.findOne({ _id, workspaceId }).orFail().lean<MailboxRecord>();
    if (!record) throw new Error('not started');
    this.#first = { at, record, warmup };
    const changes = { replyRates: REPLY_NEVER, ...config };
    const $set = Object.fromEntries(Object.entries(changes).map(([field, value]) => [`config.${field}`, value]));
    await warmups.updateOne({ _id, workspaceId }, { $set });
    return { workspace, mailbox };
  }

  /** The same mailbox once more, connected to a workspace of its own. */
  async sharing({ mailbox: { email } }: Member): Promise<Member> {
    const { workspace, mailbox } = await this.member();
    const { _id, workspaceId } = mailbox;
    const same = await this.inbox
      .model<MailboxRecord>(MailboxRecord)
      .findOneAndUpdate({ _id, workspaceId }, { $set: { email } }, { returnDocument: 'after' })
      .orFail()
      .lean<MailboxRecord>();
    return { workspace, mailbox: same };
  }

  box({ mailbox }: Member): FakeMailbox {
    return this.inbox.driver.mailbox(mailbox.email);
  }

  /** A mail that its sender's server has accepted, a minute ago; `before` is what it answers. */
  async sent(from: Member, to: Member, more: Partial<WarmupMailRecord> = {}, before?: WarmupMailRecord) {
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
      at: this.clock.in(-60_000),
      ...more,
    };
    await this.inbox.model(WarmupMailRecord).insertMany([mail as never]);
    return this.senderSide(mail);
  }

  /** Value of a mail's header. */
  token({ _id }: Pick<WarmupMailRecord, '_id'>, from: Member, to: Member): string {
    return this.get(WarmupHeaderService).sign(_id.toHexString(), { from: from.mailbox.email, to: to.mailbox.email });
  }

  /** The message of a mail as it arrives and is found. */
  async arrives(
    mail: Pick<WarmupMailRecord, '_id' | 'messageId'>,
    from: Member,
    to: Member,
    how: Arriving = {},
  ): Promise<void> {
    await this.comes(mail, from, to, how);
    await this.look(to);
  }

  /** The message of a mail as it arrives; nobody has looked yet. */
  async comes(
    mail: Pick<WarmupMailRecord, '_id' | 'messageId'>,
    from: Member,
    to: Member,
    how: Arriving = {},
  ): Promise<void> {
    const { folder = 'inbox', token = this.token(mail, from, to) } = how;
    const raw = [
      ...(how.headers ? [how.headers] : []),
      `From: Grace <${how.from ?? from.mailbox.email}>`,
      `To: ${to.mailbox.email}`,
      `Message-ID: ${how.messageId ?? mail.messageId}`,
      ...(token === null ? [] : [`${WARMUP_HEADER}: ${token}`]),
      'Subject: Lunch on Friday',
      'Date: Wed, 25 Nov 2026 11:59:00 +0000',
      'Content-Type: text/plain; charset=utf-8',
      '',
      'Shall we have lunch?',
      '',
    ];
    await this.box(to).deliver(Buffer.from(raw.join('\r\n')), folder, this.clock.now());
  }

  /** Any other mail. */
  async delivers(raw: string, to: Member): Promise<void> {
    await this.box(to).deliver(Buffer.from(raw.replaceAll('\n', '\r\n')), 'inbox', this.clock.now());
    await this.look(to);
  }

  /** Reads a mailbox. */
  async look({ workspace, mailbox }: Member): Promise<void> {
    this.inbox.workspace = workspace;
    this.inbox.mailbox = mailbox;
    await this.inbox.look();
  }

  async senderSide({ _id, workspaceId }: Pick<WarmupMailRecord, '_id' | 'workspaceId'>): Promise<WarmupMailRecord> {
    return this.inbox
      .model<WarmupMailRecord>(WarmupMailRecord)
      .findOne({ _id, workspaceId })
      .orFail()
      .lean<WarmupMailRecord>();
  }

  /** null while it was not found. */
  async receiverSide({ mailId, counterpart }: WarmupMailRecord): Promise<WarmupMailRecord | null> {
    const { workspaceId } = counterpart;
    return this.inbox
      .model<WarmupMailRecord>(WarmupMailRecord)
      .findOne({ mailId, workspaceId, direction: 'received' })
      .lean<WarmupMailRecord>();
  }

  /** What a mailbox has planned to send. */
  async planned({ workspace: { workspaceId }, mailbox }: Member): Promise<WarmupMailRecord[]> {
    return this.inbox
      .model<WarmupMailRecord>(WarmupMailRecord)
      .find({ workspaceId, mailboxId: mailbox._id, state: 'planned' })
      .sort({ dueAt: 1 })
      .lean<WarmupMailRecord[]>();
  }

  /** Figures of a mailbox's day that are not 0. */
  async figures({ workspace: { workspaceId }, mailbox }: Member, day = DAY): Promise<Record<string, number>> {
    const found = await this.inbox
      .model<WarmupDayRecord>(WarmupDayRecord)
      .findOne({ workspaceId, mailboxId: mailbox._id, day })
      .lean<WarmupDayRecord>();
    const entries = Object.entries(found ?? {}).filter(([name, value]) => name !== '__v' && typeof value === 'number');
    return Object.fromEntries(entries.filter(([, value]) => value !== 0)) as Record<string, number>;
  }

  /** Where the messages of a mailbox's workspace went: verdict and rule. */
  async judgements({ workspace }: Member): Promise<Pick<MailboxMessageRecord, 'verdict' | 'rule'>[]> {
    this.inbox.workspace = workspace;
    return (await this.inbox.messages()).map(({ verdict, rule }) => ({ verdict, rule }));
  }

  /** What the inbox shows of a workspace: conversations, messages and events. */
  async shown({ workspace }: Member): Promise<number> {
    this.inbox.workspace = workspace;
    const all = await Promise.all([this.inbox.conversations(), this.inbox.said(), this.inbox.events()]);
    return all.flat().length;
  }
}

function ownerOf({ mailbox }: Member) {
  return { workspaceId: mailbox.workspaceId, mailboxId: mailbox._id };
}
