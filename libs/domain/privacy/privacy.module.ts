import { AgentsModule } from '@domain/agents';
import { AuditModule } from '@domain/audit';
import { EnrichmentModule } from '@domain/enrichment';
import { EventsModule } from '@domain/events';
import { InboxModule } from '@domain/inbox';
import { CrmAutomationModule } from '@domain/crm';
import { IntegrationsModule } from '@domain/integrations';
import { LeadImportsModule, LeadsModule } from '@domain/leads';
import { MailboxesModule } from '@domain/mailboxes';
import { ReportsModule } from '@domain/reports';
import { SendsModule } from '@domain/sends';
import { SuppressionsModule } from '@domain/suppressions';
import { TrackingModule } from '@domain/tracking';
import { WebhooksModule } from '@domain/webhooks';
import { Module } from '@nestjs/common';
import { PersonalDataService } from './personal-data.service';
import { SubjectRecordRepository } from './subject-record.repository';

@Module({
  // All domains with personal data: their records are found by the name of their collection.
  imports: [
    AuditModule,
    EventsModule,
    SuppressionsModule,
    MailboxesModule,
    SendsModule,
    LeadsModule,
    LeadImportsModule,
    TrackingModule,
    InboxModule,
    AgentsModule,
    EnrichmentModule,
    ReportsModule,
    WebhooksModule,
    IntegrationsModule,
    CrmAutomationModule,
  ],
  providers: [SubjectRecordRepository, PersonalDataService],
  exports: [PersonalDataService],
})
export class PrivacyModule {}
