import { Injectable } from '@nestjs/common';
import { AppError } from '@platform/errors';
import { LogService } from '@platform/observability';
import { WarmupProgress } from '../../config/warmup.progress.service';
import { isWarming } from '../../config/warmup.status';
import { WarmupWriter } from '../../config/warmup.writer.service';
import { WarmupTurnQueue } from '../sending/warmup.turn.queue';
import { DayPlanning } from './day.planning.service';
import { type DueWarmup, DueWarmups } from './due.warmups.service';
import { type Pool } from './pool';
import { WarmupPool } from './warmup.pool.service';

/** Closes the days of warmups that are over, and plans those that have begun. */
@Injectable()
export class WarmupPlanner {
  constructor(
    private readonly due: DueWarmups,
    private readonly progress: WarmupProgress,
    private readonly writer: WarmupWriter,
    private readonly planning: DayPlanning,
    private readonly pools: WarmupPool,
    private readonly queue: WarmupTurnQueue,
    private readonly log: LogService,
  ) {}

  /**
   * All warmups that are due. Their days are closed before any is planned: nobody writes to one that is suspended by what its day
   * has shown. Interrupted anywhere, the next run goes on.
   */
  async run(signal: AbortSignal): Promise<void> {
    for await (const due of this.due.all(signal)) await this.#unlessFaulty(due, () => this.#close(due));
    const pool = this.pools.kept();
    for await (const due of this.due.all(signal))
      await this.#unlessFaulty(due, async () => this.#plan(due, await pool()));
  }

  /** One that fails must not keep the others from their day. */
  async #unlessFaulty(due: DueWarmup, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof AppError && error.code === 'NOT_FOUND') return this.due.letGo(due);
      this.log.error('The day of a warmup could not be planned', error, { mailboxId: due._id.toHexString() });
      await this.due.putOff(due);
    }
  }

  async #close({ _id, workspaceId }: DueWarmup): Promise<void> {
    await this.progress.close(workspaceId.toHexString(), _id.toHexString());
  }

  async #plan(due: DueWarmup, pool: Pool): Promise<void> {
    const { _id: mailboxId, workspaceId } = due;
    const warmup = await this.writer.find({ workspaceId: workspaceId.toHexString() }, mailboxId.toHexString());
    if (!isWarming(warmup.state.status)) return this.due.letGo(due);
    const { firstAt, threads } = await this.planning.plan(warmup, pool);
    if (threads !== null) await this.writer.notePlanned(warmup, threads);
    if (firstAt) await this.queue.announce([{ workspaceId, mailboxId, dueAt: firstAt }]);
  }
}
