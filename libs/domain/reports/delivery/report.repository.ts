import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { parseId, TransactionService } from '@platform/database';
import { type Model, type Types } from 'mongoose';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { type FinalReportState, ReportRecord } from '../schemas/report.record';
import { type DueReport } from './report.queue';

/** A report leased until `dueAt`; every change is guarded by `holder`. */
export type LeasedReport = ReportRecord & { readonly holder: string };

/** Stored before the handover. */
export interface ReportHandoverStart {
  readonly mailboxId: Types.ObjectId | null;
  readonly messageId: string;
  readonly draftId: string | null;
}

/** The final outcome of a report. */
export interface ReportEnd {
  readonly state: FinalReportState;
  readonly reason: string | null;
  readonly sentAt?: Date | null;
  readonly attempts?: number;
}

/** Longer than composing and the handover may take (`DEADLINE_MS`): after that its worker has crashed. */
export const LEASE_MS = 5 * 60_000;
/** Reports per query. */
const BATCH = 500;
const WORKER = 'the worker sends the reports of all workspaces';

/**
 * Outgoing reports. States: planned -> sending (a server may have it) -> sent, unknown or failed; planned -> skipped or
 * withheld; sending -> planned if a server certainly did not accept it.
 */
@Injectable()
export class ReportRepository {
  constructor(
    @InjectModel(ReportRecord.name) private readonly reports: Model<ReportRecord>,
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * Leases a due report; null when it is not due or another worker holds it. After a crash of the holder it is due
   * again.
   */
  async acquire(workspaceId: string, reportId: string): Promise<LeasedReport | null> {
    const _id = parseId(reportId);
    const now = this.clock.now();
    const found = _id && (await this.reports.findOne({ workspaceId, _id }).lean<ReportRecord>());
    if (!found?.dueAt || found.dueAt > now) return null;
    const lease = { dueAt: new Date(now.getTime() + LEASE_MS), holder: randomUUID() };
    const { state, dueAt: previousDueAt } = found;
    const { matchedCount } = await this.reports.updateOne(
      { workspaceId, _id, state, dueAt: previousDueAt },
      { $set: lease },
    );
    return matchedCount === 1 ? Object.assign(found, lease) : null;
  }

  /**
   * Called last before the handover; joins the running transaction. False when the report was withheld or another
   * worker holds it. Extends the lease for the handover.
   */
  async startHandover(report: LeasedReport, { mailboxId, messageId, draftId }: ReportHandoverStart): Promise<boolean> {
    const handedAt = this.clock.now();
    const dueAt = new Date(handedAt.getTime() + LEASE_MS);
    const handing = { state: 'sending', mailboxId, messageId, draftId, handedAt, dueAt, reason: null };
    return this.#change(report, 'planned', { $set: handing, $inc: { attempts: 1 } });
  }

  /** Releases the report until that time. @param attempts the new number of attempts, if it changed */
  async postpone(report: LeasedReport, dueAt: Date, reason: string | null, attempts?: number): Promise<void> {
    const waiting = { $set: { state: 'planned', dueAt, reason, ...toAttempts(attempts) } };
    if (await this.#change(report, ['planned', 'sending'], waiting)) report.dueAt = dueAt;
  }

  /** The outcome is unknown: looks the report up at that time. */
  async rescheduleLookup(report: LeasedReport, dueAt: Date, reason: string): Promise<void> {
    if (await this.#change(report, 'sending', { $set: { dueAt, reason } })) report.dueAt = dueAt;
  }

  /** Ends the report. A sent report counts for its recipient in the same transaction. */
  async complete(report: LeasedReport, { state, reason, sentAt = null, attempts }: ReportEnd): Promise<void> {
    await this.transactions.run(async () => {
      const ended = { $set: { state, reason, sentAt, ...toAttempts(attempts) }, $unset: { dueAt: 1 } } as const;
      if (!(await this.#change(report, ['planned', 'sending'], ended)) || state !== 'sent') return;
      const { workspaceId, recipientId: _id } = report;
      await this.recipients.updateOne({ _id, workspaceId }, { $inc: { totalReportsSent: 1 } }, { timestamps: false });
    });
  }

  /** All open reports that are due, in pages. */
  async *due(dueBy: Date): AsyncGenerator<DueReport[]> {
    let after: { dueAt: Date; _id: Types.ObjectId } | null = null;
    for (;;) {
      const beyond = after && { $or: [{ dueAt: { $gt: after.dueAt } }, { _id: { $gt: after._id } }] };
      const page: (DueReport & { dueAt: Date })[] = await this.reports
        .find({ dueAt: { $gt: new Date(0), ...(after && { $gte: after.dueAt }), $lte: dueBy }, ...beyond })
        .select({ workspaceId: 1, dueAt: 1 })
        .setOptions({ allWorkspaces: WORKER })
        .sort({ dueAt: 1, _id: 1 })
        .limit(BATCH)
        .lean<(DueReport & { dueAt: Date })[]>();
      yield page;
      after = page.at(-1) ?? null;
      if (!after || page.length < BATCH) return;
    }
  }

  async #change(
    { _id, workspaceId, holder }: LeasedReport,
    state: ReportRecord['state'] | ReportRecord['state'][],
    update: Parameters<Model<ReportRecord>['updateOne']>[1],
  ): Promise<boolean> {
    const states = typeof state === 'string' ? [state] : state;
    const filter = { _id, workspaceId, state: { $in: states }, holder };
    const { matchedCount } = await this.reports.updateOne(filter, update);
    return matchedCount === 1;
  }
}

function toAttempts(attempts: number | undefined): { attempts?: number } {
  return attempts === undefined ? {} : { attempts };
}
