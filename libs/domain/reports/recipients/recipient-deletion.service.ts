import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type MessageResponse } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { TransactionService } from '@platform/database';
import { type Model } from 'mongoose';
import { ReportRecipientRecord } from '../schemas/report-recipient.record';
import { ReportRecord } from '../schemas/report.record';
import { auditedChanges, auditTarget } from './recipient-audit';
import { requireRecipient } from './recipient-lookup';

/** The end of a recipient. */
@Injectable()
export class RecipientDeletionService {
  constructor(
    @InjectModel(ReportRecipientRecord.name) private readonly recipients: Model<ReportRecipientRecord>,
    @InjectModel(ReportRecord.name) private readonly reports: Model<ReportRecord>,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
  ) {}

  /** Nothing more is begun for it; what is known of its reports goes with it. @throws NOT_FOUND */
  async delete(workspace: WorkspaceScope, recipientId: string): Promise<MessageResponse> {
    await this.transactions.run(async () => {
      const record = await requireRecipient(this.recipients, workspace, recipientId);
      const { _id, workspaceId } = record;
      await this.recipients.deleteOne({ _id, workspaceId });
      await this.reports.deleteMany({ workspaceId, recipientId: _id });
      const changes = auditedChanges(record, null);
      await this.audit.record(workspace, { action: 'report_recipient.deleted', target: auditTarget(_id), changes });
    });
    return { message: 'Report recipient deleted' };
  }
}
