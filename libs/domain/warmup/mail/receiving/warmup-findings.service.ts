import { MailboxRepository } from '@domain/mailboxes';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { isDeepStrictEqual } from 'node:util';
import { shownByMailbox } from '../../config/warmup-state';
import { WarmupRepository } from '../../config/warmup.repository';
import { getMetrics } from '../../plan/metrics';
import { WarmupDayRecord } from '../../schemas/warmup-day.record';
import { type WarmupMetrics, WarmupRecord } from '../../schemas/warmup.record';

/** Keeps what warmups and mailboxes show of their findings up to date during the day; its end is `WarmupDayCloseService`' to judge. */
@Injectable()
export class WarmupFindingsService {
  constructor(
    @InjectModel(WarmupRecord.name) private readonly warmups: Model<WarmupRecord>,
    @InjectModel(WarmupDayRecord.name) private readonly days: Model<WarmupDayRecord>,
    private readonly writer: WarmupRepository,
    private readonly mailboxes: MailboxRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Calculates the metrics of a run from the figures of its days, and writes them when they have changed.
   * @throws NOT_FOUND for a mailbox that is gone
   */
  async refresh(workspaceId: Types.ObjectId, mailboxId: Types.ObjectId): Promise<void> {
    const workspace = { workspaceId: workspaceId.toHexString() };
    await this.transactions.run(async () => {
      const { mailbox, state } = await this.writer.find(workspace, mailboxId.toHexString());
      if (state.startedOn === '') return;
      const days = await this.days
        .find({ workspaceId, mailboxId, day: { $gte: state.startedOn } })
        .sort({ day: 1 })
        .lean<WarmupDayRecord[]>();
      const metrics = getMetrics(days, this.clock.now());
      if (state.metrics && isDeepStrictEqual(figuresOf(state.metrics), figuresOf(metrics))) return;
      // Neither status nor settings: who works by this revision goes on.
      await this.warmups.updateOne({ _id: mailboxId, workspaceId }, { $set: { metrics } });
      await this.mailboxes.writeWarmup(workspace, mailboxId, shownByMailbox({ mailbox, state: { ...state, metrics } }));
    });
  }
}

function figuresOf({ lastCalculatedAt: _at, ...figures }: WarmupMetrics): Omit<WarmupMetrics, 'lastCalculatedAt'> {
  return figures;
}
