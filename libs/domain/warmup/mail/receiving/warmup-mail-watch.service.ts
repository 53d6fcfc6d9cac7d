import { MailboxRepository, MailboxSyncService, MailboxMessageRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { LogService } from '@platform/observability';
import { type Model, Types } from 'mongoose';
import { WarmupProgressService } from '../../config/warmup-progress.service';
import { WarmupRepository } from '../../config/warmup.repository';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { type Counterpart } from '../../schemas/warmup-thread.record';
import { WARMING_STATUSES, WarmupRecord } from '../../schemas/warmup.record';

const BATCH = 200;
const WORKER = 'the worker checks the warmup of all workspaces';
const NONE = new Types.ObjectId('0'.repeat(24));

/** Reason of a missing mail. */
const NEVER_FOUND = 'Accepted by the server, but not found at the receiver within a day';
const HOUR_MS = 3_600_000;
/** Mail that is not found within this time counts as discarded. */
const FOUND_WITHIN_MS = 24 * HOUR_MS;
/** Older mail is not judged any more: its receiver could not be read in time. */
const MISSED_UNTIL_MS = 72 * HOUR_MS;

type Mailbox = Pick<WarmupMailRecord, 'workspaceId' | 'mailboxId'>;

/**
 * Regularly finds missing mail of all mailboxes in warmup, and refreshes their metrics. Missing mail counts as blocked only if
 * the receiver has been read since, and has found later mail of others.
 */
@Injectable()
export class WarmupMailWatchService {
  constructor(
    @InjectModel(WarmupRecord.name) private readonly records: Model<WarmupRecord>,
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly progress: WarmupProgressService,
    private readonly log: LogService,
    private readonly warmups: WarmupRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly freshness: MailboxSyncService,
    private readonly messages: MailboxMessageRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** A failure of one mailbox does not block the others. */
  async run(signal?: AbortSignal): Promise<void> {
    for (let after = NONE; ;) {
      const page = await this.records
        .find({ status: { $in: [...WARMING_STATUSES] }, _id: { $gt: after } }, { workspaceId: 1 })
        .setOptions({ allWorkspaces: WORKER })
        .sort({ _id: 1 })
        .limit(BATCH)
        .lean<Pick<WarmupRecord, '_id' | 'workspaceId'>[]>();
      for (const { _id: mailboxId, workspaceId } of page) {
        signal?.throwIfAborted();
        await this.#watch(workspaceId, mailboxId);
      }
      const last = page.at(-1);
      if (!last || page.length < BATCH) return;
      after = last._id;
    }
  }

  /** Marks missing mail that the mailbox sent one to three days ago. */
  async markMissing({ workspaceId, mailboxId }: Mailbox): Promise<void> {
    const sent = { $gt: this.clock.in(-MISSED_UNTIL_MS), $lte: this.clock.in(-FOUND_WITHIN_MS) };
    const unseen = await this.mails
      .find({ workspaceId, mailboxId, at: sent, state: 'sent', receivedAt: null, lostAs: null })
      .lean<(WarmupMailRecord & { at: Date })[]>();
    for (const mail of unseen) {
      if (await this.#isMissing(mail)) await this.#recordMissing(mail);
    }
  }

  async #watch(workspaceId: Types.ObjectId, mailboxId: Types.ObjectId): Promise<void> {
    try {
      await this.markMissing({ workspaceId, mailboxId });
      await this.progress.refreshMetrics(workspaceId, mailboxId);
    } catch (error) {
      this.log.error('Warmup mail of a mailbox could not be checked; the next run retries it', error, { mailboxId });
    }
  }

  async #isMissing({ counterpart, at }: WarmupMailRecord & { at: Date }): Promise<boolean> {
    if (!(await this.#hasLaterMail(counterpart, at))) return false;
    const receiver = await this.mailboxes.find(counterpart.workspaceId, counterpart.mailboxId);
    if (!receiver) return false;
    const readAt = await this.freshness.readAt(receiver);
    if (readAt === null || readAt.getTime() < at.getTime() + FOUND_WITHIN_MS) return false;
    const [workspaceId, mailboxId] = [counterpart.workspaceId.toHexString(), counterpart.mailboxId.toHexString()];
    return !(await this.messages.hasUnfinished({ workspaceId, mailboxId }));
  }

  /** Whether the receiver has found any later mail. Single senders may be filtered, but rarely all of them. */
  async #hasLaterMail({ workspaceId, mailboxId }: Counterpart, at: Date): Promise<boolean> {
    return (await this.mails.exists({ workspaceId, mailboxId, at: { $gt: at }, direction: 'received' })) !== null;
  }

  async #recordMissing({ _id, workspaceId }: WarmupMailRecord): Promise<void> {
    await this.transactions.run(async () => {
      const mail = await this.mails
        .findOneAndUpdate(
          { _id, workspaceId, state: 'sent', receivedAt: null, lostAs: null },
          { $set: { reason: NEVER_FOUND, lostAs: 'blocked' } },
        )
        .lean<WarmupMailRecord>();
      if (mail) await this.warmups.count(mail, { blocked: 1 });
    });
  }
}
