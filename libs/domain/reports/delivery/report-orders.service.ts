import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { type ReportResponse, toReport } from '../dto/report.dto';
import { auditTarget } from '../recipients/recipient-audit';
import { findRecipient } from '../recipients/recipient-lookup';
import { inactiveRecipient, reportUnderWay } from '../report.errors';
import { periodUpTo } from '../schedule/report-schedule';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { ReportRecord } from '../schemas/report.record';
import { ReportQueue } from './report.queue';

/** A report that a person asked for is of no use to them a day later. */
const WAITED_FOR_MS = 24 * 3_600_000;

/** Reports that somebody asks for now, beside the schedule. */
@Injectable()
export class ReportOrdersService {
  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    @InjectModel(ReportRecord.name) private readonly reports: Model<ReportRecord>,
    private readonly queue: ReportQueue,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /**
   * About the days up to now. The schedule goes on as if nothing had been asked for.
   * @throws NOT_FOUND, CONFLICT for a recipient that is not active, and while one that was asked for is on its way
   */
  async order(workspace: WorkspaceScope, recipientId: string): Promise<ReportResponse> {
    const record = await this.transactions.run(async () => {
      const recipient = await findRecipient(this.recipients, workspace, recipientId);
      const { _id, workspaceId, email, active, schedule, askedFor } = recipient;
      if (!active) throw inactiveRecipient();
      // Of two who ask at once one is run again, and finds the other's report.
      await this.recipients.updateOne({ _id, workspaceId }, { $inc: { askedFor: 1 } }, { timestamps: false });
      const open = { trigger: 'manual', state: { $in: ['planned', 'handing'] } } as const;
      if (await this.reports.exists({ workspaceId, recipientId: _id, ...open })) throw reportUnderWay();
      const now = this.clock.now();
      const period = periodUpTo(now, schedule.frequency, schedule.timezone);
      const wanted = {
        workspaceId,
        recipientId: _id,
        email,
        key: `asked ${askedFor + 1}`,
        period,
        trigger: 'manual',
      } as const;
      const expiresAt = this.clock.in(WAITED_FOR_MS);
      const created = await this.reports.create({ ...wanted, state: 'planned' as const, dueAt: now, expiresAt });
      await this.audit.record(workspace, { action: 'report_recipient.report_asked_for', target: auditTarget(_id) });
      return created.toObject<ReportRecord>();
    });
    await this.queue.enqueue([record]);
    return toReport(record);
  }
}
