import { Module } from '@nestjs/common';
import { CrmModule } from '@adapters/crm';
import { DnsModule } from '@adapters/dns';
import { MailModule } from '@adapters/mail';
import { AgentsModule } from '@domain/agents';
import { AnalyticsModule } from '@domain/analytics';
import { ApiKeysModule, WorkspacesModule } from '@domain/identity';
import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { CreditsModule } from '@domain/credits';
import { BlacklistModule, DeliverabilityModule } from '@domain/deliverability';
import { EmailVerificationModule, EnrichmentModule, PersonEnrichmentModule } from '@domain/enrichment';
import { EventsModule } from '@domain/events';
import { InboxModule } from '@domain/inbox';
import { CrmAutomationModule } from '@domain/crm';
import { IntegrationsModule } from '@domain/integrations';
import { LeadImportsModule, LeadsModule } from '@domain/leads';
import { MailboxesModule } from '@domain/mailboxes';
import { migrations } from '@domain/migrations';
import { PrivacyModule } from '@domain/privacy';
import { SendsModule } from '@domain/sends';
import { TrackingModule } from '@domain/tracking';
import { ProtectionModule } from '@domain/protection';
import { SendingModule } from '@domain/sending';
import { SuppressionsModule } from '@domain/suppressions';
import { WarmupModule } from '@domain/warmup';
import { RecoveryModule } from '@domain/recovery';
import { ReportsModule } from '@domain/reports';
import { WebhooksModule } from '@domain/webhooks';
import { ClockModule } from '@platform/clock';
import { ConfigModule, VERSION } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { ClusterModule } from '@platform/cluster';
import { MigrationsModule } from '@platform/migrations';
import { ObservabilityModule } from '@platform/observability';
import { QueuesModule } from '@platform/queues';
import { SecretsModule } from '@platform/secrets';
import { controllers } from './controllers';
import { HttpModule } from './http';

@Module({
  imports: [
    ConfigModule,
    ClockModule,
    ObservabilityModule.forRoot('api', VERSION),
    SecretsModule,
    DatabaseModule.forRoot('outreach-api'),
    MigrationsModule.required(migrations),
    ClusterModule,
    QueuesModule,
    MailModule,
    CrmModule,
    DnsModule,
    HttpModule,
    WorkspacesModule,
    ApiKeysModule,
    CreditsModule,
    EventsModule,
    MailboxesModule,
    CampaignsModule,
    SendsModule,
    PrivacyModule,
    TrackingModule,
    InboxModule,
    SendingModule,
    ProtectionModule,
    WarmupModule,
    RecoveryModule,
    ReportsModule,
    WebhooksModule,
    BlacklistModule,
    DeliverabilityModule,
    EnrichmentModule,
    EmailVerificationModule,
    PersonEnrichmentModule,
    SuppressionsModule,
    AnalyticsModule,
    AgentsModule,
    LeadsModule,
    LeadImportsModule,
    AuditModule,
    CrmAutomationModule,
    IntegrationsModule,
  ],
  controllers: [...controllers],
})
export class ApiModule {}
