import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { WarmupMailRecord, type WarmupMailState } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';

/** A mailbox, by the fields of its mails. */
export interface MailboxRef {
  readonly workspaceId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId;
}

/** A mailbox that has something to do, and since when. */
export interface DueMailbox extends MailboxRef {
  readonly dueAt: Date;
}

/** What is changed of a mail in the hands of a turn. */
type Settled = Partial<Pick<WarmupMailRecord, 'state' | 'at' | 'reason' | 'dueAt'>>;

/** Mails that are read at once. */
const BATCH = 500;
const WORKER = 'the worker looks after the warmup of all workspaces';
/** Nobody has it any more. */
const RELEASE = { $set: { state: 'planned' }, $inc: { attempt: -1 }, $unset: { fence: 1, claimedAt: 1 } } as const;

type Mailbox = { readonly _id: Types.ObjectId; readonly workspaceId: Types.ObjectId };

/**
 * Warmup mails on their way out: planned -> claimed -> ambiguous (a server may have it) -> sent, failed, or ambiguous for good.
 * Each change is guarded by the state that it leaves, and within a turn by the turn's fence.
 */
@Injectable()
export class WarmupMailRepository {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    @InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** The mail of a mailbox that is due for longest; null when none is. */
  async findNext({ workspaceId, mailboxId }: MailboxRef, now: Date): Promise<WarmupMailRecord | null> {
    return this.mails
      .findOne({ workspaceId, mailboxId, state: 'planned', dueAt: { $lte: now } })
      .sort({ dueAt: 1, _id: 1 })
      .lean<WarmupMailRecord>();
  }

  /** When the mailbox has to send next; null when nothing is planned. */
  async findNextAt({ workspaceId, mailboxId }: MailboxRef): Promise<Date | null> {
    const first = await this.mails
      .findOne({ workspaceId, mailboxId, state: 'planned', dueAt: { $gt: new Date(0) } }, { dueAt: 1 })
      .sort({ dueAt: 1, _id: 1 })
      .lean<Pick<WarmupMailRecord, 'dueAt'>>();
    return first?.dueAt ?? null;
  }

  /** Whether a mailbox has mail that is due, or that a worker has, or had when it died. */
  async hasDue({ workspaceId, mailboxId }: MailboxRef, now: Date): Promise<boolean> {
    const states: WarmupMailState[] = ['planned', 'claimed', 'ambiguous'];
    const due = { workspaceId, mailboxId, state: { $in: states }, dueAt: { $gt: new Date(0), $lte: now } };
    return (await this.mails.exists(due)) !== null;
  }

  /** Openings of a day that are yet to be sent. */
  async countOpenings({ workspaceId, mailboxId }: MailboxRef, day: string): Promise<number> {
    return this.mails.countDocuments({ workspaceId, mailboxId, state: 'planned', position: 0, day });
  }

  /** All mailboxes with something due, in pages, each with what is due for longest; one that has much comes in several pages. */
  async *listDue(dueBy: Date): AsyncGenerator<DueMailbox[]> {
    let after: Pick<WarmupMailRecord, '_id'> & { dueAt: Date } = { _id: null as never, dueAt: new Date(1) };
    for (;;) {
      const beyond = after._id ? [{ $or: [{ dueAt: { $gt: after.dueAt } }, { _id: { $gt: after._id } }] }] : [];
      const page = await this.mails
        .find({ dueAt: { $gte: after.dueAt, $lte: dueBy }, ...(beyond.length > 0 && { $and: beyond }) })
        .select({ workspaceId: 1, mailboxId: 1, dueAt: 1 })
        .setOptions({ allWorkspaces: WORKER })
        .sort({ dueAt: 1, _id: 1 })
        .limit(BATCH)
        .lean<(DueMailbox & Pick<WarmupMailRecord, '_id'>)[]>();
      const firsts = new Map<string, DueMailbox>();
      for (const { workspaceId, mailboxId, dueAt } of page) {
        const key = mailboxId.toHexString();
        if (!firsts.has(key)) firsts.set(key, { workspaceId, mailboxId, dueAt });
      }
      yield [...firsts.values()];
      const last = page.at(-1);
      if (!last || page.length < BATCH) return;
      after = last;
    }
  }

  /** What is planned for a mailbox before that time waits until then. */
  async postpone({ workspaceId, mailboxId }: MailboxRef, until: Date): Promise<void> {
    const planned = { workspaceId, mailboxId, state: 'planned', dueAt: { $lt: until } } as const;
    await this.mails.updateMany(planned, { $set: { dueAt: until } });
  }

  /** One planned mail waits until that time. */
  async postponeOne({ _id, workspaceId }: WarmupMailRecord, until: Date): Promise<void> {
    await this.mails.updateOne({ _id, workspaceId, state: 'planned' }, { $set: { dueAt: until } });
  }

  /** A planned mail is not sent at all. */
  async abandon({ _id, workspaceId }: WarmupMailRecord, reason: string): Promise<void> {
    const given = { state: 'failed', reason, at: this.clock.now() };
    await this.mails.updateOne({ _id, workspaceId, state: 'planned' }, { $set: given, $unset: { dueAt: 1 } });
  }

  /** What turns of the mailbox have claimed, or were giving to a server. Call it in a turn: then none of it is at work. */
  async listClaimed({ workspaceId, mailboxId }: MailboxRef): Promise<WarmupMailRecord[]> {
    const inHand = { state: { $in: ['claimed', 'ambiguous'] as WarmupMailState[] }, dueAt: { $gt: new Date(0) } };
    return this.mails.find({ workspaceId, mailboxId, ...inHand }).lean<WarmupMailRecord[]>();
  }

  /**
   * Takes a planned mail for a turn; joins the running transaction. null when it has changed.
   * @param day YYYY-MM-DD that it counts for
   */
  async claim(
    { _id, workspaceId }: WarmupMailRecord,
    { fence, at, messageId, day }: { fence: number; at: Date; messageId: string; day: string },
  ): Promise<WarmupMailRecord | null> {
    return this.mails
      .findOneAndUpdate(
        { _id, workspaceId, state: 'planned' },
        { $set: { state: 'claimed', fence, claimedAt: at, messageId, day }, $inc: { attempt: 1 } },
        { returnDocument: 'after' },
      )
      .lean<WarmupMailRecord>();
  }

  /** Right before a server is given it, which the mail knows from then on. False when it was taken back, or the turn was lost. */
  async markSending(mail: WarmupMailRecord): Promise<boolean> {
    const isMarked = await this.#updateClaimed(mail, { $set: { state: 'ambiguous', subject: mail.subject } });
    if (isMarked) mail.state = 'ambiguous';
    return isMarked;
  }

  /**
   * No server has it: it waits again. Joins the running transaction.
   * @returns false when it is not in the state any more in which it was seen: a server may have been given it since
   */
  async release(mail: WarmupMailRecord): Promise<boolean> {
    return this.#updateClaimed(mail, RELEASE);
  }

  /**
   * Writes what became of it, of which only a mail that waits for another attempt keeps `dueAt`. Joins the running transaction.
   * @returns false when this turn does not have it any more
   */
  async settle(mail: WarmupMailRecord, { dueAt, ...fields }: Settled): Promise<boolean> {
    const settled = dueAt ? { $set: { ...fields, dueAt } } : { $set: fields, $unset: { dueAt: 1 } };
    return this.#updateClaimed(mail, settled);
  }

  /**
   * Takes what is claimed and not yet given to a server out of the hands of workers. Call it AFTER the transaction that wrote what
   * forbids the mail, and before anything is acknowledged (`SendWithholdingRepository.withhold` tells why).
   * @throws Error inside a transaction
   */
  async withhold(mailbox: MailboxRef): Promise<void> {
    if (this.transactions.running) throw new Error('withhold was called inside a transaction; call it afterwards');
    await this.releaseAll(mailbox);
  }

  /** As `withhold`, where a transaction conflicts with every claim of the mailbox, such as that of its deletion; joins it. */
  async releaseAll({ workspaceId, mailboxId }: MailboxRef): Promise<void> {
    await this.mails.updateMany({ workspaceId, mailboxId, state: 'claimed' }, RELEASE);
  }

  /**
   * Takes back the threads that are yet to be begun, as if they had never been planned; joins the running transaction. What a
   * worker has in hand is not theirs any more: it is withheld (`WarmupMailRepository`), or sent.
   * @param withAnswers also what was planned in answer to others
   */
  async cancelPlanned(
    { _id: mailboxId, workspaceId }: Mailbox,
    { withAnswers }: { withAnswers: boolean },
  ): Promise<void> {
    const planned = { workspaceId, mailboxId, state: 'planned' } as const;
    const openings = await this.mails
      .find({ ...planned, position: 0 }, { threadId: 1 })
      .lean<Pick<WarmupMailRecord, 'threadId'>[]>();
    await this.mails.deleteMany(withAnswers ? planned : { ...planned, position: 0 });
    const _id = { $in: openings.map(({ threadId }) => threadId) };
    if (openings.length > 0) await this.threads.deleteMany({ workspaceId, _id });
  }

  async #updateClaimed(
    { _id, workspaceId, fence, state }: WarmupMailRecord,
    update: Parameters<Model<WarmupMailRecord>['updateOne']>[1],
  ): Promise<boolean> {
    // What is settled already has no `dueAt` any more.
    const held = { _id, workspaceId, state, fence, dueAt: { $gt: new Date(0) } };
    const { matchedCount } = await this.mails.updateOne(held, update);
    return matchedCount === 1;
  }
}
