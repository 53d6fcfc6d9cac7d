import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { periodKey, slotAfter, slotUpTo } from '../schedule/report-schedule';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { ReportRecord } from '../schemas/report.record';
import { ReportQueue } from './report.queue';

/** Recipients that are read at once, those due for longest first. */
const BATCH = 200;
/** A workspace that is deleted may be restored: its recipients are looked at again after so long. */
const POSTPONED_MS = 3_600_000;

type Planned = Pick<ReportRecord, '_id' | 'workspaceId' | 'dueAt'>;

/** Begins the reports of recipients whose time has come. */
@Injectable()
export class ReportScheduleService {
  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    @InjectModel(ReportRecord.name) private readonly reports: Model<ReportRecord>,
    private readonly queue: ReportQueue,
    private readonly workspaces: WorkspaceRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Each due recipient gets one report, by however many workers; of those that were missed while nothing ran, the latest.
   * @throws the signal's reason, between two recipients; what went wrong with one of them, when the others are through
   */
  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const due = await this.#due();
      const alive = await this.workspaces.filterAlive(due.map(({ workspaceId }) => workspaceId.toHexString()));
      await this.#planAll(due, alive, signal);
      if (due.length < BATCH) return;
    }
  }

  /** One that cannot be planned keeps none behind it; the next run tries it again. */
  async #planAll(
    due: readonly ReportRecipientRecord[],
    alive: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<void> {
    const planned: Planned[] = [];
    const failures: unknown[] = [];
    for (const recipient of due) {
      if (signal.aborted) break;
      try {
        if (alive.has(recipient.workspaceId.toHexString())) planned.push(...(await this.#plan(recipient)));
        else await this.#postpone(recipient);
      } catch (error) {
        failures.push(error);
      }
    }
    await this.queue.enqueue(planned);
    signal.throwIfAborted();
    if (failures.length > 0) throw failures[0];
  }

  async #due(): Promise<ReportRecipientRecord[]> {
    return this.recipients
      .find({ nextScheduledAt: { $gt: new Date(0), $lte: this.clock.now() } })
      .setOptions({ allWorkspaces: 'the worker begins the reports of all workspaces' })
      .sort({ nextScheduledAt: 1, _id: 1 })
      .limit(BATCH)
      .lean<ReportRecipientRecord[]>();
  }

  /** The report and the next time in one transaction: neither is there without the other. None when somebody else was first. */
  async #plan({ _id, workspaceId, nextScheduledAt }: ReportRecipientRecord): Promise<Planned[]> {
    return this.transactions.run(async () => {
      // Read again: whoever changes the recipient meanwhile makes this run again, with what they have set.
      const due = { _id, workspaceId, nextScheduledAt };
      const recipient = await this.recipients.findOne(due).lean<ReportRecipientRecord>();
      if (!recipient) return [];
      const now = this.clock.now();
      const { period } = slotUpTo(recipient.schedule, now);
      const next = slotAfter(recipient.schedule, now);
      const key = periodKey(period);
      const moved = { $set: { nextScheduledAt: next.at, lastPeriod: key } };
      const { matchedCount } = await this.recipients.updateOne(due, moved, { timestamps: false });
      if (matchedCount === 0) return [];
      if (await this.reports.exists({ workspaceId, recipientId: _id, key })) return [];
      const { email } = recipient;
      const wanted = { workspaceId, recipientId: _id, email, key, period, trigger: 'schedule' } as const;
      const report = await this.reports.create({ ...wanted, state: 'planned', dueAt: now, expiresAt: next.at });
      return [{ _id: report._id, workspaceId, dueAt: now }];
    });
  }

  async #postpone({ _id, workspaceId, nextScheduledAt }: ReportRecipientRecord): Promise<void> {
    await this.recipients.updateOne(
      { _id, workspaceId, nextScheduledAt },
      { $set: { nextScheduledAt: this.clock.in(POSTPONED_MS) } },
      { timestamps: false },
    );
  }
}
