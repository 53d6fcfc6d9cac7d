import { AgentsModule } from '@domain/agents';
import { AnalyticsModule } from '@domain/analytics';
import { AuditModule } from '@domain/audit';
import { CampaignsModule } from '@domain/campaigns';
import { CreditsModule } from '@domain/credits';
import { CrmAutomationModule } from '@domain/crm';
import { BlacklistModule, DeliverabilityModule } from '@domain/deliverability';
import { EmailVerificationModule, EnrichmentModule, PersonEnrichmentModule } from '@domain/enrichment';
import { EventsModule } from '@domain/events';
import { ApiKeysModule, UsersModule, WorkspacesModule } from '@domain/identity';
import { InboxModule } from '@domain/inbox';
import { IntegrationsModule } from '@domain/integrations';
import { LeadImportsModule, LeadsModule } from '@domain/leads';
import { MailboxesModule } from '@domain/mailboxes';
import { PrivacyModule } from '@domain/privacy';
import { ProtectionModule } from '@domain/protection';
import { RecoveryModule } from '@domain/recovery';
import { ReportsModule } from '@domain/reports';
import { SendingModule } from '@domain/sending';
import { SendsModule } from '@domain/sends';
import { SuppressionsModule } from '@domain/suppressions';
import { TrackingModule } from '@domain/tracking';
import { WarmupModule } from '@domain/warmup';
import { WebhooksModule } from '@domain/webhooks';
import { Module } from '@nestjs/common';

const domains = [
  AgentsModule,
  AnalyticsModule,
  ApiKeysModule,
  AuditModule,
  BlacklistModule,
  CampaignsModule,
  CreditsModule,
  CrmAutomationModule,
  DeliverabilityModule,
  EmailVerificationModule,
  EnrichmentModule,
  EventsModule,
  InboxModule,
  IntegrationsModule,
  LeadImportsModule,
  LeadsModule,
  MailboxesModule,
  PersonEnrichmentModule,
  PrivacyModule,
  ProtectionModule,
  RecoveryModule,
  ReportsModule,
  SendingModule,
  SendsModule,
  SuppressionsModule,
  TrackingModule,
  UsersModule,
  WarmupModule,
  WebhooksModule,
  WorkspacesModule,
];

/** All domains: each process has them all, so that a hook reaches every listener and an erasure every collection. */
@Module({ imports: domains, exports: domains })
export class DomainsModule {}
