import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { WarmupMailRecord, type WarmupMailState } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';

/** A mailbox, as its mails name it. */
export interface MailboxRef {
  readonly workspaceId: Types.ObjectId;
  readonly mailboxId: Types.ObjectId;
}

/** A mailbox with due mail, and the due time. */
export interface DueMailbox extends MailboxRef {
  readonly dueAt: Date;
}

/** Changes to a claimed mail. */
type Settled = Partial<Pick<WarmupMailRecord, 'state' | 'at' | 'reason' | 'dueAt'>>;

/** Mails that are read at once. */
const BATCH = 500;
const WORKER = 'the worker sends the warmup of all workspaces';
/** Releases a claim. */
const RELEASE = { $set: { state: 'planned' }, $inc: { attempt: -1 }, $unset: { fence: 1, claimedAt: 1 } } as const;

type Mailbox = { readonly _id: Types.ObjectId; readonly workspaceId: Types.ObjectId };

/**
 * Outbound warmup mails: planned -> claimed -> ambiguous (a server may have it) -> sent, failed, or ambiguous for good. Each
 * change is guarded by the former state and by the fence of the mailbox lease.
 */
@Injectable()
export class WarmupMailRepository {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    @InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Finds the longest due mail of a mailbox. */
  async findNext({ workspaceId, mailboxId }: MailboxRef, now: Date): Promise<WarmupMailRecord | null> {
    return this.mails
      .findOne({ workspaceId, mailboxId, state: 'planned', dueAt: { $lte: now } })
      .sort({ dueAt: 1, _id: 1 })
      .lean<WarmupMailRecord>();
  }

  /** Finds the next due time of a mailbox; null when nothing is planned. */
  async findNextAt({ workspaceId, mailboxId }: MailboxRef): Promise<Date | null> {
    const first = await this.mails
      .findOne({ workspaceId, mailboxId, state: 'planned', dueAt: { $gt: new Date(0) } }, { dueAt: 1 })
      .sort({ dueAt: 1, _id: 1 })
      .lean<Pick<WarmupMailRecord, 'dueAt'>>();
    return first?.dueAt ?? null;
  }

  /** Whether a mailbox has due or claimed mail, also after a crash. */
  async hasDue({ workspaceId, mailboxId }: MailboxRef, now: Date): Promise<boolean> {
    const states: WarmupMailState[] = ['planned', 'claimed', 'ambiguous'];
    const due = { workspaceId, mailboxId, state: { $in: states }, dueAt: { $gt: new Date(0), $lte: now } };
    return (await this.mails.exists(due)) !== null;
  }

  /** Counts the planned openings of a day. */
  async countOpenings({ workspaceId, mailboxId }: MailboxRef, day: string): Promise<number> {
    return this.mails.countDocuments({ workspaceId, mailboxId, state: 'planned', position: 0, day });
  }

  /** Lists all mailboxes with due mail, in pages, each with its earliest time. A mailbox with much mail is in several pages. */
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

  /** Postpones all planned mail of a mailbox that is due before that time. */
  async postpone({ workspaceId, mailboxId }: MailboxRef, until: Date): Promise<void> {
    const planned = { workspaceId, mailboxId, state: 'planned', dueAt: { $lt: until } } as const;
    await this.mails.updateMany(planned, { $set: { dueAt: until } });
  }

  /** Postpones one planned mail. */
  async postponeOne({ _id, workspaceId }: WarmupMailRecord, until: Date): Promise<void> {
    await this.mails.updateOne({ _id, workspaceId, state: 'planned' }, { $set: { dueAt: until } });
  }

  /** Fails a planned mail without sending it. */
  async abandon({ _id, workspaceId }: WarmupMailRecord, reason: string): Promise<void> {
    const failure = { state: 'failed', reason, at: this.clock.now() };
    await this.mails.updateOne({ _id, workspaceId, state: 'planned' }, { $set: failure, $unset: { dueAt: 1 } });
  }

  /** Lists claimed mails and interrupted handovers. Call it under the mailbox lease: then no worker processes them. */
  async listClaimed({ workspaceId, mailboxId }: MailboxRef): Promise<WarmupMailRecord[]> {
    const inHand = { state: { $in: ['claimed', 'ambiguous'] as WarmupMailState[] }, dueAt: { $gt: new Date(0) } };
    return this.mails.find({ workspaceId, mailboxId, ...inHand }).lean<WarmupMailRecord[]>();
  }

  /**
   * Claims a planned mail; joins the running transaction. Null when the mail has changed.
   * @param day YYYY-MM-DD for which it counts
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

  /** Marks a mail right before its handover. False when it was withheld, or the lease was lost. */
  async markSending(mail: WarmupMailRecord): Promise<boolean> {
    const isMarked = await this.#updateClaimed(mail, { $set: { state: 'ambiguous', subject: mail.subject } });
    if (isMarked) mail.state = 'ambiguous';
    return isMarked;
  }

  /**
   * Releases a claimed mail that no server has, or finds it withheld and thereby released. Joins the running transaction.
   * @returns false when it is in other hands: a handover may have started
   */
  async release(mail: WarmupMailRecord): Promise<boolean> {
    if (await this.#updateClaimed(mail, RELEASE)) return true;
    const { _id, workspaceId, attempt } = mail;
    const found = await this.mails
      .findOne({ _id, workspaceId }, { attempt: 1 })
      .lean<Pick<WarmupMailRecord, 'attempt'>>();
    return !found || found.attempt < attempt;
  }

  /**
   * Writes the outcome; only a mail that waits for a retry keeps `dueAt`. Joins the running transaction.
   * @returns false when the claim was lost
   */
  async settle(mail: WarmupMailRecord, { dueAt, ...fields }: Settled): Promise<boolean> {
    const settled = dueAt ? { $set: { ...fields, dueAt } } : { $set: fields, $unset: { dueAt: 1 } };
    return this.#updateClaimed(mail, settled);
  }

  /**
   * Takes claimed mail from workers before its handover. Call it AFTER the transaction that forbids the mail, and before the
   * change is acknowledged (see `SendRepository.withhold`).
   * @throws Error inside a transaction
   */
  async withhold(mailbox: MailboxRef): Promise<void> {
    if (this.transactions.running) throw new Error('withhold was called inside a transaction; call it afterwards');
    await this.releaseAll(mailbox);
  }

  /** Like `withhold`, for a transaction that conflicts with every claim of the mailbox, such as its deletion. Joins it. */
  async releaseAll({ workspaceId, mailboxId }: MailboxRef): Promise<void> {
    await this.mails.updateMany({ workspaceId, mailboxId, state: 'claimed' }, RELEASE);
  }

  /**
   * Deletes planned threads that are not opened yet; joins the running transaction. Claimed mail is withheld separately, or sent.
   * @param withAnswers whether planned answers are deleted too
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
    // A settled mail has no `dueAt`.
    const claimed = { _id, workspaceId, state, fence, dueAt: { $gt: new Date(0) } };
    const { matchedCount } = await this.mails.updateOne(claimed, update);
    return matchedCount === 1;
  }
}
