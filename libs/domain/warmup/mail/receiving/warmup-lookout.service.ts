import { MailboxRepository, MailboxSyncService, MailboxMessageRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { type Counterpart } from '../../schemas/warmup-thread.record';
import { WarmupCountsRepository } from '../../config/warmup-counts.repository';

/** What is said of it. */
const NEVER_FOUND = 'It was accepted, and not found within a day where it was sent to';
const HOUR_MS = 3_600_000;
/** Mail that is not found within that time was thrown away on the way. */
const FOUND_WITHIN_MS = 24 * HOUR_MS;
/** Of what is older nothing is said any more: its receiver could not be read all the time. */
const MISSED_UNTIL_MS = 72 * HOUR_MS;

type Mailbox = Pick<WarmupMailRecord, 'workspaceId' | 'mailboxId'>;

/**
 * Notices mail that was accepted and never arrived. It counts as blocked only where that is the likely reason: the receiver
 * has been read since then, and has found what others sent it later.
 */
@Injectable()
export class WarmupLookoutService {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly counts: WarmupCountsRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly freshness: MailboxSyncService,
    private readonly mail: MailboxMessageRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Looks at what the mailbox sent one to three days ago. */
  async markMissing({ workspaceId, mailboxId }: Mailbox): Promise<void> {
    const sent = { $gt: this.clock.in(-MISSED_UNTIL_MS), $lte: this.clock.in(-FOUND_WITHIN_MS) };
    const unseen = await this.mails
      .find({ workspaceId, mailboxId, at: sent, state: 'sent', receivedAt: null, lostAs: null })
      .lean<(WarmupMailRecord & { at: Date })[]>();
    for (const mail of unseen) {
      if (await this.#wouldBeThere(mail)) await this.#missed(mail);
    }
  }

  async #wouldBeThere({ counterpart, at }: WarmupMailRecord & { at: Date }): Promise<boolean> {
    if (!(await this.#foundLater(counterpart, at))) return false;
    const receiver = await this.mailboxes.find(counterpart.workspaceId, counterpart.mailboxId);
    if (!receiver) return false;
    const readAt = await this.freshness.readAt(receiver);
    if (readAt === null || readAt.getTime() < at.getTime() + FOUND_WITHIN_MS) return false;
    const [workspaceId, mailboxId] = [counterpart.workspaceId.toHexString(), counterpart.mailboxId.toHexString()];
    return !(await this.mail.hasUnfinished({ workspaceId, mailboxId }));
  }

  /** Mail of a sender other than one whose mail is missing may fare better, but not all of it. */
  async #foundLater({ workspaceId, mailboxId }: Counterpart, at: Date): Promise<boolean> {
    return (await this.mails.exists({ workspaceId, mailboxId, at: { $gt: at }, direction: 'received' })) !== null;
  }

  async #missed({ _id, workspaceId }: WarmupMailRecord): Promise<void> {
    await this.transactions.run(async () => {
      const mail = await this.mails
        .findOneAndUpdate(
          { _id, workspaceId, state: 'sent', receivedAt: null, lostAs: null },
          { $set: { reason: NEVER_FOUND, lostAs: 'blocked' } },
        )
        .lean<WarmupMailRecord>();
      if (mail) await this.counts.count(mail, { blocked: 1 });
    });
  }
}
