import { AnalyticsModule } from '@domain/analytics';
import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { CreditsModule } from '@domain/credits';
import { BlacklistModule } from '@domain/deliverability';
import { InboxModule } from '@domain/inbox';
import { MailboxesModule } from '@domain/mailboxes';
import { SendingModule } from '@domain/sending';
import { SendsModule } from '@domain/sends';
import { SuppressionsModule } from '@domain/suppressions';
import { WebhooksModule } from '@domain/webhooks';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { ReportFiguresService } from './content/figures/report-figures.service';
import { ReportRendererService } from './content/rendering/report-renderer.service';
import { ReportContentService } from './content/report-content.service';
import { ReportAttemptService } from './delivery/report-attempt.service';
import { ReportDeliveryService } from './delivery/report-delivery.service';
import { ReportScheduleService } from './delivery/report-schedule.service';
import { ReportRepository } from './delivery/report.repository';
import { ReportQueue } from './delivery/report.queue';
import { ReportSenderService } from './delivery/report-sender.service';
import { ReportWithholdingListener } from './delivery/report-withholding.listener';
import { ReportRecipientCampaignListener } from './recipients/report-recipient-campaign.listener';
import { ReportRecipientsService } from './recipients/report-recipients.service';
import { ReportUnsubscribeService } from './recipients/report-unsubscribe.service';
import { ReportRecipientRecord } from './schemas/report-recipient.record';
import { ReportSettingsRecord } from './schemas/report-settings.record';
import { ReportRecord } from './schemas/report.record';
import { ReportSettingsService } from './settings/report-settings.service';

const offered = [
  ReportContentService,
  ReportRecipientsService,
  ReportUnsubscribeService,
  ReportSettingsService,
  ReportScheduleService,
  ReportDeliveryService,
];

@Module({
  imports: [
    DatabaseModule.collections(ReportRecipientRecord, ReportRecord, ReportSettingsRecord),
    AnalyticsModule,
    AuditModule,
    CampaignsModule,
    CreditsModule,
    BlacklistModule,
    InboxModule,
    MailboxesModule,
    SendingModule,
    SendsModule,
    SuppressionsModule,
    WebhooksModule,
    WorkspacesModule,
  ],
  providers: [
    ...offered,
    ReportFiguresService,
    ReportRendererService,
    ReportRecipientCampaignListener,
    ReportQueue,
    ReportRepository,
    ReportAttemptService,
    ReportSenderService,
    ReportWithholdingListener,
  ],
  exports: offered,
})
export class ReportsModule {}
