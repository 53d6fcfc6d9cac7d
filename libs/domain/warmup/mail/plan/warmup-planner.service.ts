import { Injectable } from '@nestjs/common';
import { AppError } from '@platform/errors';
import { LogService } from '@platform/observability';
import { WarmupDayCloseService } from '../../config/warmup-day-close.service';
import { isWarming } from '../../config/warmup-status';
import { WarmupRepository } from '../../config/warmup.repository';
import { WarmupSendQueue } from '../sending/warmup-send.queue';
import { WarmupDayPlanService } from './warmup-day-plan.service';
import { type DueWarmup, DueWarmupsService } from './due-warmups.service';
import { type WarmupPoolSnapshot } from './warmup-pool-snapshot';
import { WarmupPoolService } from './warmup-pool.service';

/** Closes the days of warmups that are over, and plans those that have begun. */
@Injectable()
export class WarmupPlannerService {
  constructor(
    private readonly due: DueWarmupsService,
    private readonly progress: WarmupDayCloseService,
    private readonly writer: WarmupRepository,
    private readonly planning: WarmupDayPlanService,
    private readonly pools: WarmupPoolService,
    private readonly queue: WarmupSendQueue,
    private readonly log: LogService,
  ) {}

  /**
   * All warmups that are due. Their days are closed before any is planned: nobody writes to one that is suspended by what its day
   * has shown. Interrupted anywhere, the next run goes on.
   */
  async run(signal: AbortSignal): Promise<void> {
    for await (const due of this.due.listDue(signal)) await this.#unlessFaulty(due, () => this.#close(due));
    const pool = this.pools.createCache();
    for await (const due of this.due.listDue(signal))
      await this.#unlessFaulty(due, async () => this.#plan(due, await pool()));
  }

  /** One that fails must not keep the others from their day. */
  async #unlessFaulty(due: DueWarmup, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return this.due.release(due);
      this.log.error('The day of a warmup could not be planned', error, { mailboxId: due._id.toHexString() });
      await this.due.postpone(due);
    }
  }

  async #close({ _id, workspaceId }: DueWarmup): Promise<void> {
    await this.progress.closeDays(workspaceId.toHexString(), _id.toHexString());
  }

  async #plan(due: DueWarmup, pool: WarmupPoolSnapshot): Promise<void> {
    const { _id: mailboxId, workspaceId } = due;
    const warmup = await this.writer.find({ workspaceId: workspaceId.toHexString() }, mailboxId.toHexString());
    if (!isWarming(warmup.state.status)) return this.due.release(due);
    const { firstAt, threads } = await this.planning.planDay(warmup, pool);
    if (threads !== null) await this.writer.notePlanned(warmup, threads);
    if (firstAt) await this.queue.enqueue([{ workspaceId, mailboxId, dueAt: firstAt }]);
  }
}
