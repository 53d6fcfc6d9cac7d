import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { type MailSession, MailSessionPool } from '@adapters/mail';
import { ClockPort } from '@platform/clock';
import { type Model, Types } from 'mongoose';
import { MailboxAccountService } from '../mailbox-account.service';
import { MailboxMessageRecord, UNFINISHED_STATES } from '../schemas/mailbox-message.record';
import { MailboxRecord } from '../schemas/mailbox.record';
import { type Arrival } from './mail-arrival';

type Named = Pick<MailboxMessageRecord, '_id' | 'workspaceId'>;

/** The classification of a message. */
export interface Classification {
  readonly verdict: string;
  readonly rule: string;
  /** Tasks left outside of the transaction; without any the message is done. */
  readonly tasks: readonly unknown[];
}

const WORKER = 'the worker processes the mail of all workspaces';
const NO_MAILBOX = new Types.ObjectId('0'.repeat(24));

/** Messages of mailboxes for the domain that classifies them. */
@Injectable()
export class MailboxMessageRepository {
  constructor(
    @InjectModel(MailboxMessageRecord.name) private readonly messages: Model<MailboxMessageRecord>,
    @InjectModel(MailboxRecord.name) private readonly mailboxes: Model<MailboxRecord>,
    private readonly accounts: MailboxAccountService,
    private readonly sessions: MailSessionPool,
    private readonly clock: ClockPort,
  ) {}

  /** The mailbox of an arrival; null when it is deleted. */
  async findMailbox({ workspaceId, mailboxId }: Arrival): Promise<MailboxRecord | null> {
    return this.mailboxes.findOne({ _id: mailboxId, workspaceId }).lean<MailboxRecord>();
  }

  /** Whether an address belongs to a mailbox of the workspace. */
  async isOwn(workspaceId: Types.ObjectId, email: string): Promise<boolean> {
    return (await this.mailboxes.exists({ workspaceId, email })) !== null;
  }

  /** Calls `work` with an open session of the mailbox. @throws MailError */
  async withSession<T>(mailbox: MailboxRecord, work: (session: MailSession) => Promise<T>): Promise<T> {
    return this.sessions.use(this.accounts.toAccount(mailbox), work);
  }

  /** Messages that are due for work, oldest first. */
  async listUnfinished({ workspaceId, mailboxId }: Arrival, limit: number): Promise<MailboxMessageRecord[]> {
    return this.messages
      .find({ workspaceId, mailboxId, state: { $in: UNFINISHED_STATES }, ...this.#toDueFilter() })
      .sort({ receivedAt: 1, _id: 1 })
      .limit(limit)
      .lean<MailboxMessageRecord[]>();
  }

  /** Whether any message has open work, due or not. */
  async hasUnfinished({ workspaceId, mailboxId }: Arrival): Promise<boolean> {
    return (await this.messages.exists({ workspaceId, mailboxId, state: { $in: UNFINISHED_STATES } })) !== null;
  }

  /** The current state of a message; null when it was erased. */
  async peek({ _id, workspaceId }: Named): Promise<MailboxMessageRecord | null> {
    return this.messages.findOne({ _id, workspaceId }).lean<MailboxMessageRecord>();
  }

  /**
   * Stores the classification of a message; joins the running transaction. False when another worker has classified
   * it.
   */
  async markClassified({ _id, workspaceId }: Named, judgement: Classification): Promise<boolean> {
    const { matchedCount } = await this.messages.updateOne(
      { _id, workspaceId, state: 'received' },
      { $set: toClassifiedFields(judgement) },
    );
    return matchedCount === 1;
  }

  /**
   * Stores the classification of several messages of a workspace in one write; false when another worker has
   * classified one of them.
   */
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

  /** Marks the tasks of these classified messages of a workspace as done. */
  async markDone(workspaceId: Types.ObjectId, messages: readonly Named[]): Promise<void> {
    const _id = { $in: messages.map((message) => message._id) };
    await this.messages.updateMany({ workspaceId, _id, state: 'judged' }, { $set: { state: 'done', retryAt: null } });
  }

  /**
   * Records a failure; the message is due again at `retryAt`.
   * @param isItsFault false when the whole mailbox cannot be read, which says nothing about the message
   */
  async postpone({ _id, workspaceId }: Named, problem: string, retryAt: Date, isItsFault = true): Promise<void> {
    await this.messages.updateOne(
      { _id, workspaceId, state: { $in: UNFINISHED_STATES } },
      { $set: { problem, retryAt }, $inc: { failures: isItsFault ? 1 : 0 } },
    );
  }

  /** Mailboxes of all workspaces with messages that are due for work. */
  async listMailboxesWithWork(): Promise<Arrival[]> {
    const found = await this.messages
      .aggregate<{ _id: { workspaceId: Types.ObjectId; mailboxId: Types.ObjectId } }>([
        // Matches every mailbox, in a form that lets the index of unfinished messages serve it.
        { $match: { mailboxId: { $gt: NO_MAILBOX }, state: { $in: UNFINISHED_STATES }, ...this.#toDueFilter() } },
        { $group: { _id: { workspaceId: '$workspaceId', mailboxId: '$mailboxId' } } },
      ])
      .option({ allWorkspaces: WORKER });
    return found.map(({ _id: { workspaceId, mailboxId } }) => ({
      workspaceId: workspaceId.toHexString(),
      mailboxId: mailboxId.toHexString(),
    }));
  }

  #toDueFilter() {
    return { $or: [{ retryAt: null }, { retryAt: { $lte: this.clock.now() } }] };
  }
}

function toClassifiedFields({ verdict, rule, tasks }: Classification) {
  const state = tasks.length > 0 ? 'judged' : 'done';
  return { state, verdict, rule, tasks: [...tasks], retryAt: null };
}
