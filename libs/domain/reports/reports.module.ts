import { AnalyticsModule } from '@domain/analytics';
import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { CreditsModule } from '@domain/credits';
import { BlacklistModule } from '@domain/deliverability';
import { InboxModule } from '@domain/inbox';
import { MailboxesModule } from '@domain/mailboxes';
import { SendsModule } from '@domain/sends';
import { SuppressionsModule } from '@domain/suppressions';
import { WebhooksModule } from '@domain/webhooks';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { AttentionReader } from './content/attention/attention.reader.service';
import { AttentionSourcesModule } from './content/attention/attention-sources.module';
import { MailboxReviewer } from './content/figures/mailbox.reviewer.service';
import { ReportFigures } from './content/figures/report.figures.service';
import { ReportPress } from './content/press/report.press.service';
import { ReportContents } from './content/report.contents.service';
import { ReportAttempts } from './delivery/report.attempts.service';
import { ReportComposer } from './delivery/report.composer.service';
import { ReportDeliveries } from './delivery/report.deliveries.service';
import { ReportLooks } from './delivery/report.looks.service';
import { ReportLookups } from './delivery/report.lookups.service';
import { ReportOrders } from './delivery/report.orders.service';
import { ReportOutbox } from './delivery/report.outbox.service';
import { ReportPlanner } from './delivery/report.planner.service';
import { ReportQueue } from './delivery/report.queue';
import { ReportSenders } from './delivery/report.senders.service';
import { ReportWithholding } from './delivery/report.withholding.service';
import { ReportPreviews } from './preview/report.preview.service';
import { RecipientCampaignUse } from './recipients/recipient.campaign-use.service';
import { RecipientCampaigns } from './recipients/recipient.campaigns.service';
import { RecipientCreation } from './recipients/recipients.creation.service';
import { RecipientDeletion } from './recipients/recipients.deletion.service';
import { ReportRecipients } from './recipients/recipients.service';
import { RecipientUpdate } from './recipients/recipients.update.service';
import { ReportStops } from './recipients/report.stop.service';
import { ReportRecipientRecord } from './schemas/report-recipient.record';
import { ReportSettingsRecord } from './schemas/report-settings.record';
import { ReportRecord } from './schemas/report.record';
import { ReportSettings } from './settings/report.settings.service';

const offered = [
  ReportPreviews,
  ReportRecipients,
  RecipientCreation,
  RecipientUpdate,
  RecipientDeletion,
  ReportStops,
  ReportSettings,
  ReportOrders,
  ReportPlanner,
  ReportDeliveries,
];

@Module({
  imports: [
    DatabaseModule.collections(ReportRecipientRecord, ReportRecord, ReportSettingsRecord),
    AttentionSourcesModule,
    AnalyticsModule,
    AuditModule,
    CampaignsModule,
    CreditsModule,
    BlacklistModule,
    InboxModule,
    MailboxesModule,
    SendsModule,
    SuppressionsModule,
    WebhooksModule,
    WorkspacesModule,
  ],
  providers: [
    ...offered,
    ReportContents,
    ReportFigures,
    MailboxReviewer,
    AttentionReader,
    ReportPress,
    RecipientCampaigns,
    RecipientCampaignUse,
    ReportQueue,
    ReportOutbox,
    ReportLooks,
    ReportLookups,
    ReportSenders,
    ReportComposer,
    ReportAttempts,
    ReportWithholding,
  ],
  exports: offered,
})
export class ReportsModule {}
