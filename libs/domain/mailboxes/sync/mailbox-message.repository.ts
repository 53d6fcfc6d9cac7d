import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type MailSession, MailSessionPool } from '@adapters/mail';
import { ClockPort } from '@platform/clock';
import { type Model, Types } from 'mongoose';
import { MailboxAccountService } from '../mailbox-account.service';
import { MailboxMessageRecord, UNFINISHED_STATES } from '../schemas/mailbox-message.record';
import { MailboxRecord } from '../schemas/mailbox.record';
import { type Arrival } from './mail-arrival.registry';

type Named = Pick<MailboxMessageRecord, '_id' | 'workspaceId'>;

/** What a message was taken for. */
export interface Classification {
  readonly verdict: string;
  readonly rule: string;
  /** What has to follow outside of the transaction; without any the message is done. */
  readonly tasks: readonly unknown[];
}

const WORKER = 'the worker looks through the mail of all workspaces';
const NO_MAILBOX = new Types.ObjectId('0'.repeat(24));

/** The mail of a mailbox as whoever judges it sees it. */
@Injectable()
export class MailboxMessageRepository {
  constructor(
    @InjectModel(MailboxMessageRecord.name) private readonly messages: Model<MailboxMessageRecord>,
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly clock: ClockPort,
  ) {}

  /** The mailbox of an arrival; null when it is gone. */
  async findMailbox({ workspaceId, mailboxId }: Arrival): Promise<MailboxRecord | null> {
    return this.mailboxes.findOne({ _id: mailboxId, workspaceId }).lean<MailboxRecord>();
  }

  /** Whether an address is that of a mailbox of the workspace. */
  async isOwn(workspaceId: Types.ObjectId, email: string): Promise<boolean> {
    return (await this.mailboxes.exists({ workspaceId, email })) !== null;
  }

  /** Works with an open session of the mailbox. @throws MailError */
  async withSession<T>(mailbox: MailboxRecord, work: (session: MailSession) => Promise<T>): Promise<T> {
    return this.sessions.use(this.accounts.toAccount(mailbox), work);
  }

  /** Messages that are to be worked on now, oldest first. */
  async listUnfinished({ workspaceId, mailboxId }: Arrival, limit: number): Promise<MailboxMessageRecord[]> {
    return this.messages
      .find({ workspaceId, mailboxId, state: { $in: UNFINISHED_STATES }, ...this.#due() })
      .sort({ receivedAt: 1, _id: 1 })
      .limit(limit)
      .lean<MailboxMessageRecord[]>();
  }

  /** Whether something that came in has not had its effect yet, whatever the reason. */
  async hasUnfinished({ workspaceId, mailboxId }: Arrival): Promise<boolean> {
    return (await this.messages.exists({ workspaceId, mailboxId, state: { $in: UNFINISHED_STATES } })) !== null;
  }

  /** A message as it is now; null when it was erased. */
  async peek({ _id, workspaceId }: Named): Promise<MailboxMessageRecord | null> {
    return this.messages.findOne({ _id, workspaceId }).lean<MailboxMessageRecord>();
  }

  /** Writes what a message was taken for; joins the running transaction. False when somebody else has judged it. */
  async markClassified({ _id, workspaceId }: Named, judgement: Classification): Promise<boolean> {
    const { matchedCount } = await this.messages.updateOne(
      { _id, workspaceId, state: 'received' },
      { $set: toClassifiedFields(judgement) },
    );
    return matchedCount === 1;
  }

  /** As `judged` for each of several messages of a workspace, in one write; false when somebody else has judged one of them. */
  async markAllClassified(
    workspaceId: Types.ObjectId,
    all: readonly { message: Named; judgement: Classification }[],
  ): Promise<boolean> {
    const { matchedCount } = await this.messages.bulkWrite(
      all.map(({ message: { _id }, judgement }) => ({
        updateOne: { filter: { _id, workspaceId, state: 'received' }, update: { $set: toClassifiedFields(judgement) } },
      })) as never,
      { ordered: false },
    );
    return matchedCount === all.length;
  }

  /** All that these judged messages of a workspace asked for is done. */
  async markDone(workspaceId: Types.ObjectId, messages: readonly Named[]): Promise<void> {
    const _id = { $in: messages.map((message) => message._id) };
    await this.messages.updateMany({ workspaceId, _id, state: 'judged' }, { $set: { state: 'done', retryAt: null } });
  }

  /**
   * It could not be worked on now; it is due again at `retryAt`.
   * @param isItsFault false where nothing in the mailbox could have been read: that says nothing about the message
   */
  async postpone({ _id, workspaceId }: Named, problem: string, retryAt: Date, isItsFault = true): Promise<void> {
    await this.messages.updateOne(
      { _id, workspaceId, state: { $in: UNFINISHED_STATES } },
      { $set: { problem, retryAt }, $inc: { failures: isItsFault ? 1 : 0 } },
    );
  }

  /** Mailboxes of all workspaces in which something is to be worked on now. */
  async listMailboxesWithWork(): Promise<Arrival[]> {
    const found = await this.messages
      .aggregate<{ _id: { workspaceId: Types.ObjectId; mailboxId: Types.ObjectId } }>([
        // Every mailbox, said in a way that makes the index of what is unfinished serve it.
        { $match: { mailboxId: { $gt: NO_MAILBOX }, state: { $in: UNFINISHED_STATES }, ...this.#due() } },
        { $group: { _id: { workspaceId: '$workspaceId', mailboxId: '$mailboxId' } } },
      ])
      .option({ allWorkspaces: WORKER });
    return found.map(({ _id: { workspaceId, mailboxId } }) => ({
      workspaceId: workspaceId.toHexString(),
      mailboxId: mailboxId.toHexString(),
    }));
  }

  #due() {
    return { $or: [{ retryAt: null }, { retryAt: { $lte: this.clock.now() } }] };
  }
}

function toClassifiedFields({ verdict, rule, tasks }: Classification) {
  const state = tasks.length > 0 ? 'judged' : 'done';
  return { state, verdict, rule, tasks: [...tasks], retryAt: null };
}
