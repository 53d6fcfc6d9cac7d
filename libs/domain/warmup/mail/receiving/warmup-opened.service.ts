import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { WarmupMailRecord } from '../../schemas/warmup-mail.record';
import { WarmupCountsRepository } from '../../config/warmup-counts.repository';

/** The receiver's side. */
type Received = Pick<WarmupMailRecord, '_id' | 'workspaceId' | 'mailboxId' | 'mailId' | 'counterpart' | 'day'>;

/** Writes down, on both sides, that a received mail was opened. */
@Injectable()
export class WarmupOpenedService {
  constructor(
    @InjectModel(WarmupMailRecord.name) private readonly mails: Model<WarmupMailRecord>,
    private readonly counts: WarmupCountsRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** Counts once, however often it is called. */
  async recordOpened(mail: Received, isRescued: boolean): Promise<void> {
    const { _id, workspaceId, mailId, counterpart } = mail;
    const now = this.clock.now();
    const told = { $set: { openedAt: now, ...(isRescued && { rescuedAt: now }) } };
    await this.transactions.run(async () => {
      const { matchedCount } = await this.mails.updateOne(
        { _id, workspaceId, opensAt: { $gt: new Date(0) } },
        { ...told, $unset: { opensAt: 1 } },
      );
      if (matchedCount === 0) return;
      if (isRescued) await this.counts.count(mail, { rescued: 1 });
      const sent = await this.mails
        .findOneAndUpdate({ _id: mailId, workspaceId: counterpart.workspaceId }, told)
        .lean<WarmupMailRecord>();
      if (sent) await this.counts.count(sent, { opened: 1 });
    });
  }
}
