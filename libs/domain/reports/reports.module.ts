import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { MailboxesModule } from '@domain/mailboxes';
import { SuppressionsModule } from '@domain/suppressions';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { ReportRecipientRecord } from './schemas/report-recipient.record';

@Module({
  imports: [
    DatabaseModule.collections(ReportRecipientRecord),
    AuditModule,
    CampaignsModule,
    MailboxesModule,
    SuppressionsModule,
    WorkspacesModule,
  ],
  providers: [],
  exports: [],
})
export class ReportsModule {}
