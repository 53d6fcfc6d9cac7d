import { type DynamicModule, Module } from '@nestjs/common';
import { CrmModule } from '@adapters/crm';
import { DnsModule } from '@adapters/dns';
import { MailModule } from '@adapters/mail';
import { AnalyticsModule } from '@domain/analytics';
import { ApiKeysModule } from '@domain/api-keys';
import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { CreditsModule } from '@domain/credits';
import { PersonEnrichmentModule } from '@domain/enrichment';
import { CrmAutomationModule, IntegrationsModule } from '@domain/integrations';
import { MailboxesModule } from '@domain/mailboxes';
import { ProtectionModule } from '@domain/protection';
import { PrivacyModule } from '@domain/privacy';
import { SendingModule } from '@domain/sending';
import { UsersModule } from '@domain/users';
import { ReportsModule } from '@domain/reports';
import { WebhooksModule } from '@domain/webhooks';
import { WorkspacesModule } from '@domain/workspaces';
import { ClockModule } from '@platform/clock';
import { Config, ConfigModule, VERSION } from '@platform/config';
import { DatabaseModule } from '@platform/database';
import { IdempotencyModule } from '@platform/idempotency';
import { Log, ObservabilityModule, rootLogger } from '@platform/observability';
import { QueuesModule } from '@platform/queues';
import { SecretsModule } from '@platform/secrets';

/** As for the other processes, but the log goes to standard error: standard output is for results. */
function observability(app: string): DynamicModule {
  const module = ObservabilityModule.forRoot(app, VERSION);
  const write = (line: string) => process.stderr.write(line);
  const log = {
    provide: Log,
    inject: [Config],
    useFactory: (config: Config) => new Log(rootLogger({ level: config.logLevel, app, write })),
  };
  return { ...module, providers: [...(module.providers ?? []), log] };
}

@Module({
  imports: [
    ConfigModule,
    ClockModule,
    observability('cli'),
    SecretsModule,
    DatabaseModule.forRoot('outreach-cli'),
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
    ReportsModule,
    WebhooksModule,
    PersonEnrichmentModule,
    AnalyticsModule,
    CrmAutomationModule,
    IntegrationsModule,
  ],
})
export class CliModule {}
