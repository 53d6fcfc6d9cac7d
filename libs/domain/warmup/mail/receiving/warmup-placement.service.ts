import { MailboxRepository, MailboxFiguresService } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { rerunOnWriteConflict } from '@platform/database';
import { type Model } from 'mongoose';
import { WarmupRepository } from '../../config/warmup.repository';
import { type Placement, WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupThreadRecord } from '../../schemas/warmup-thread.record';

/** Where a mail was found, and under which Message-ID. */
interface Found {
  readonly placement: Placement;
  readonly messageId: string;
  readonly at: Date;
}

/** Records, on the sender's side, what the receiver's side finds out. All methods join the running transaction. */
@Injectable()
export class WarmupPlacementService {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    @InjectModel(WarmupThreadRecord.name) private readonly threads: Model<WarmupThreadRecord>,
    private readonly warmups: WarmupRepository,
    private readonly figures: MailboxFiguresService,
    private readonly mailboxes: MailboxRepository,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Marks a mail with unknown or failed outcome as sent, because its receiver has or had it; it is not sent again. A mail that a
   * worker has claimed is left to that worker.
   * @returns the mail after the change
   */
  async markDelivered(mail: WarmupMailRecord): Promise<WarmupMailRecord> {
    const { _id, workspaceId, mailboxId, state, position, dueAt, attempt, at = this.clock.now() } = mail;
    const isUnsettled = state === 'ambiguous' ? dueAt === undefined : state === 'planned' && attempt > 0;
    if (!isUnsettled) return mail;
    const known = { $set: { state: 'sent', reason: null, at }, $unset: { dueAt: 1 } } as const;
    const settled = await this.mails
      .findOneAndUpdate({ _id, workspaceId }, known, { returnDocument: 'after' })
      .orFail()
      .lean<WarmupMailRecord>();
    await this.warmups.count(mail, { sent: 1, openings: position === 0 ? 1 : 0 });
    const mailbox = await this.mailboxes.find(workspaceId, mailboxId);
    if (mailbox) await this.figures.countWarmup(mailbox, at);
    return settled;
  }

  /** Records the folder in which the receiver found it, and takes back a bounce or a loss. */
  async recordPlacement(before: WarmupMailRecord, { placement, messageId, at }: Found): Promise<void> {
    const mail = await this.markDelivered(before);
    const { _id, workspaceId, lostAs } = mail;
    const $set = {
      placement,
      receivedAt: at,
      messageId,
      ...(lostAs && { state: 'sent' as const, reason: null }),
    };
    await rerunOnWriteConflict(() => this.mails.updateOne({ _id, workspaceId }, { $set, $unset: { lostAs: 1 } }));
    const figures = { ...(placement !== 'unknown' && { [placement]: 1 }), ...(lostAs && { [lostAs]: -1 }) };
    if (Object.keys(figures).length > 0) await this.warmups.count(mail, figures);
    if (messageId !== mail.messageId) await this.#replaceMessageId(mail, messageId);
  }

  /** Replaces the Message-ID in the thread, since answers refer to the one that the receiver knows. */
  async #replaceMessageId(
    { threadId, workspaceId, counterpart, messageId }: WarmupMailRecord,
    renamed: string,
  ): Promise<void> {
    for (const owner of [workspaceId, counterpart.workspaceId]) {
      const thread = { _id: threadId, workspaceId: owner, messageIds: messageId };
      await this.threads.updateOne(thread, { $set: { 'messageIds.$': renamed } });
    }
  }
}
