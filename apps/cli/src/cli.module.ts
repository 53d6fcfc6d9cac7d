import { Module } from '@nestjs/common';
import { CrmModule } from '@adapters/crm';
import { DnsModule } from '@adapters/dns';
import { MailModule } from '@adapters/mail';
import { AnalyticsModule } from '@domain/analytics';
import { ApiKeysModule, UsersModule, WorkspacesModule } from '@domain/identity';
import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { CreditsModule } from '@domain/credits';
import { PersonEnrichmentModule } from '@domain/enrichment';
import { CrmAutomationModule } from '@domain/crm';
import { IntegrationsModule } from '@domain/integrations';
import { MailboxesModule } from '@domain/mailboxes';
import { migrations } from '@domain/migrations';
import { ProtectionModule } from '@domain/protection';
import { PrivacyModule } from '@domain/privacy';
import { SendingModule } from '@domain/sending';
import { RecoveryModule } from '@domain/recovery';
import { ReportsModule } from '@domain/reports';
import { WebhooksModule } from '@domain/webhooks';
import { ClockModule } from '@platform/clock';
import { ConfigModule } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { IdempotencyModule } from '@platform/idempotency';
import { MigrationsModule } from '@platform/migrations';
import { QueuesModule } from '@platform/queues';
import { SecretsModule } from '@platform/secrets';
import { observability } from './observability';

@Module({
  imports: [
    ConfigModule,
    ClockModule,
    observability('cli'),
    SecretsModule,
    DatabaseModule.forRoot('outreach-cli'),
    MigrationsModule.required(migrations),
    QueuesModule,
    IdempotencyModule,
    CrmModule,
    DnsModule,
    MailModule,
    UsersModule,
    WorkspacesModule,
    ApiKeysModule,
    CreditsModule,
    AuditModule,
    MailboxesModule,
    CampaignsModule,
    SendingModule,
    PrivacyModule,
    ProtectionModule,
    RecoveryModule,
    ReportsModule,
    WebhooksModule,
    PersonEnrichmentModule,
    AnalyticsModule,
    CrmAutomationModule,
    IntegrationsModule,
  ],
})
export class CliModule {}
