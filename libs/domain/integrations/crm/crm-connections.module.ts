import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { OutboundModule } from '@platform/outbound';
import { ConsentModule } from '../consent/consent.module';
import { CrmAccounts } from './connections/crm.accounts.service';
import { CrmChecks } from './connections/crm.checks.service';
import { CrmConnectionUses } from './connections/crm.connection-uses';
import { CrmConnections } from './connections/crm.connections.service';
import { CrmGrants } from './connections/crm.grants.service';
import { CrmSealed } from './connections/crm.sealed';
import { CrmSettingsService } from './connections/crm.settings.service';
import { CrmConnectionRecord } from './connections/schemas/crm-connection.record';
import { CrmConsentClient } from './consent/crm.consent.client.service';
import { CrmConsentProof } from './consent/crm.consent.proof.service';
import { CrmOAuthCallback } from './consent/crm.oauth.callback.service';
import { CrmOAuth } from './consent/crm.oauth.service';
import { CrmTokens } from './consent/crm.tokens.service';
import { CrmFields } from './mapping/crm.fields.service';
import { CrmMappings } from './mapping/crm.mappings.service';

const collections = DatabaseModule.collections(CrmConnectionRecord);
const offered = [
  CrmConnections,
  CrmConnectionUses,
  CrmSettingsService,
  CrmChecks,
  CrmFields,
  CrmMappings,
  CrmOAuth,
  CrmOAuthCallback,
];

/** Accounts of workspaces at CRMs: how they let us in, and which field goes where. */
@Module({
  imports: [collections, ConsentModule, AuditModule, EventsModule, WorkspacesModule, OutboundModule],
  providers: [...offered, CrmAccounts, CrmConsentClient, CrmConsentProof, CrmGrants, CrmSealed, CrmTokens],
  exports: [...offered, collections],
})
export class CrmConnectionsModule {}
