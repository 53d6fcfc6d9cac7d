import { type DynamicModule, Module } from '@nestjs/common';
import { CrmModule } from '@adapters/crm';
import { DnsModule } from '@adapters/dns';
import { MailModule } from '@adapters/mail';
import { AgentsModule } from '@domain/agents';
import { AnalyticsModule } from '@domain/analytics';
import { ApiKeysModule, WorkspacesModule } from '@domain/identity';
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
import { ProtectionModule } from '@domain/protection';
import { PrivacyModule } from '@domain/privacy';
import { SendsModule } from '@domain/sends';
import { TrackingModule } from '@domain/tracking';
import { SendingModule } from '@domain/sending';
import { SuppressionsModule } from '@domain/suppressions';
import { WarmupModule } from '@domain/warmup';
import { RecoveryModule } from '@domain/recovery';
import { ReportsModule } from '@domain/reports';
import { WebhooksModule } from '@domain/webhooks';
import { ClockModule } from '@platform/clock';
import { ConfigModule, VERSION } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { MigrationsModule } from '@platform/migrations';
import { ObservabilityModule } from '@platform/observability';
import { QueuesModule } from '@platform/queues';
import { SecretsModule } from '@platform/secrets';
import { JobsModule } from './jobs';
import { selectProcessors } from './processors';
import { SendingAddressListener } from './warmup/sending-address.listener';
import { QueueViewService } from './queue-view/queue-view.service';

@Module({
  imports: [
    ConfigModule,
    ClockModule,
    ObservabilityModule.forRoot('worker', VERSION),
    SecretsModule,
    DatabaseModule.forRoot('outreach-worker'),
    MigrationsModule.required(migrations),
    QueuesModule,
    MailModule,
    CrmModule,
    DnsModule,
    JobsModule,
    // All domains, including those without a job: purging a workspace covers all tenant collections registered here.
    WorkspacesModule,
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
    BlacklistModule,
    DeliverabilityModule,
    EnrichmentModule,
    EmailVerificationModule,
    PersonEnrichmentModule,
    SuppressionsModule,
    AnalyticsModule,
    AgentsModule,
    WarmupModule,
    RecoveryModule,
    ReportsModule,
    WebhooksModule,
    LeadsModule,
    LeadImportsModule,
    ApiKeysModule,
    CrmAutomationModule,
    IntegrationsModule,
  ],
  providers: [QueueViewService, SendingAddressListener],
})
export class WorkerModule {
  /**
   * @param queues names of the queues that the worker consumes (`WORKER_QUEUES`); none for all
   * @throws BootError when one of them is unknown
   */
  static forQueues(queues: readonly string[]): DynamicModule {
    return { module: WorkerModule, providers: selectProcessors(queues) };
  }
}
