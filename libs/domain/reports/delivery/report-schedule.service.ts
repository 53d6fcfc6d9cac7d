import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { WorkspaceRepository } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { type ReportResponse, toReport } from '../dto/report.dto';
import { toRecipientTarget } from '../recipients/recipient-audit';
import { requireRecipient } from '../recipients/recipient-lookup';
import { inactiveRecipient, reportUnderWay } from '../report.errors';
import { getPeriodKey, getPeriodUpTo, getSlotAfter, getSlotUpTo } from '../schedule/report-schedule';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { ReportRecord } from '../schemas/report.record';
import { ReportQueue } from './report.queue';

/** Recipients per batch, longest due first. */
const BATCH = 200;
/** Delay of the recipients of a deleted workspace, which may be restored. */
const POSTPONED_MS = 3_600_000;

/** A requested report has no use a day later. */
const MANUAL_EXPIRY_MS = 24 * 3_600_000;

type Planned = Pick<ReportRecord, '_id' | 'workspaceId' | 'dueAt'>;

/** Creates reports: those that are due by schedule, and those that a person requests. */
@Injectable()
export class ReportScheduleService {
  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    @InjectModel(ReportRecord.name) private readonly reports: Model<ReportRecord>,
    private readonly queue: ReportQueue,
    private readonly workspaces: WorkspaceRepository,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Creates one report for each due recipient, however many workers run. Of several missed reports only the latest is created.
   * @throws the signal's reason, between two recipients; the first failure, after all other recipients
   */
  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const due = await this.#listDue();
      const alive = await this.workspaces.filterAlive(due.map(({ workspaceId }) => workspaceId.toHexString()));
      await this.#planAll(due, alive, signal);
      if (due.length < BATCH) return;
    }
  }

  /**
   * Creates a report about the days up to now. The schedule is not affected.
   * @throws NOT_FOUND, CONFLICT for an inactive recipient, and while another requested report is open
   */
  async sendNow(workspace: WorkspaceScope, recipientId: string): Promise<ReportResponse> {
    const record = await this.transactions.run(async () => {
      const recipient = await requireRecipient(this.recipients, workspace, recipientId);
      const { _id, workspaceId, email, active, schedule, askedFor } = recipient;
      if (!active) throw inactiveRecipient();
      // Of two concurrent requests one runs again and finds the other's report.
      await this.recipients.updateOne({ _id, workspaceId }, { $inc: { askedFor: 1 } }, { timestamps: false });
      const open = { trigger: 'manual', state: { $in: ['planned', 'sending'] } } as const;
      if (await this.reports.exists({ workspaceId, recipientId: _id, ...open })) throw reportUnderWay();
      const now = this.clock.now();
      const period = getPeriodUpTo(now, schedule.frequency, schedule.timezone);
      const planned = {
        workspaceId,
        recipientId: _id,
        email,
        key: `asked ${askedFor + 1}`,
        period,
        trigger: 'manual',
      } as const;
      const expiresAt = this.clock.in(MANUAL_EXPIRY_MS);
      const created = await this.reports.create({ ...planned, state: 'planned' as const, dueAt: now, expiresAt });
      await this.audit.record(workspace, {
        action: 'report_recipient.report_asked_for',
        target: toRecipientTarget(_id),
      });
      return created.toObject<ReportRecord>();
    });
    await this.queue.enqueue([record]);
    return toReport(record);
  }

  /** A recipient that fails does not stop the others; the next run retries it. */
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

  async #listDue(): Promise<ReportRecipientRecord[]> {
    return this.recipients
      .find({ nextScheduledAt: { $gt: new Date(0), $lte: this.clock.now() } })
      .setOptions({ allWorkspaces: 'the worker creates the reports of all workspaces' })
      .sort({ nextScheduledAt: 1, _id: 1 })
      .limit(BATCH)
      .lean<ReportRecipientRecord[]>();
  }

  /** Writes the report and the next time in one transaction. Empty when another worker was first. */
  async #plan({ _id, workspaceId, nextScheduledAt }: ReportRecipientRecord): Promise<Planned[]> {
    return this.transactions.run(async () => {
      // Read again: a concurrent change of the recipient makes this transaction run again with the new values.
      const due = { _id, workspaceId, nextScheduledAt };
      const recipient = await this.recipients.findOne(due).lean<ReportRecipientRecord>();
      if (!recipient) return [];
      const now = this.clock.now();
      const { period } = getSlotUpTo(recipient.schedule, now);
      const next = getSlotAfter(recipient.schedule, now);
      const key = getPeriodKey(period);
      const advanced = { $set: { nextScheduledAt: next.at, lastPeriod: key } };
      const { matchedCount } = await this.recipients.updateOne(due, advanced, { timestamps: false });
      if (matchedCount === 0) return [];
      if (await this.reports.exists({ workspaceId, recipientId: _id, key })) return [];
      const { email } = recipient;
      const planned = { workspaceId, recipientId: _id, email, key, period, trigger: 'schedule' } as const;
      const report = await this.reports.create({ ...planned, state: 'planned', dueAt: now, expiresAt: next.at });
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
