import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { LeadsModule } from '@domain/leads';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { OutboundModule } from '@platform/outbound';
import { ConsentSealed } from './consent/consent.sealed';
import { ConsentSessions } from './consent/consent.sessions.service';
import { IntegrationConsentRecord } from './consent/schemas/integration-consent.record';
import { CrmConsentClient } from './crm/consent/crm.consent.client.service';
import { CrmTokens } from './crm/consent/crm.tokens.service';
import { CrmAccounts } from './crm/connections/crm.accounts.service';
import { CrmConnectionUses } from './crm/connections/crm.connection-uses';
import { CrmConnections } from './crm/connections/crm.connections.service';
import { CrmConnectionRecord } from './crm/connections/schemas/crm-connection.record';

const collections = DatabaseModule.collections(CrmConnectionRecord, IntegrationConsentRecord);
const offered = [CrmConnections, CrmConnectionUses];

/** What the platform is connected with: CRMs, chat, the enrichment tool. */
@Module({
  imports: [collections, AuditModule, EventsModule, LeadsModule, WorkspacesModule, OutboundModule],
  providers: [...offered, ConsentSessions, ConsentSealed, CrmAccounts, CrmConsentClient, CrmTokens],
  exports: offered,
})
export class IntegrationsModule {}
