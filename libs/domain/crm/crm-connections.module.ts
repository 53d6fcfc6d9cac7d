import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/identity';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { OutboundModule } from '@platform/outbound';
import { OAuthModule } from '@domain/oauth';
import { CrmAccountsRepository } from './connections/crm-accounts.repository';
import { CrmCheckService } from './connections/crm-check.service';
import { CrmConnectionHookRegistry } from './connections/crm-connection-hook.registry';
import { CrmConnectionRepository } from './connections/crm-connection.repository';
import { CrmConnectionGrantService } from './connections/crm-connection-grant.service';
import { CrmSecretListener } from './connections/crm-secret.listener';
import { CrmConnectionSettingsService } from './connections/crm-connection-settings.service';
import { CrmConnectionRecord } from './connections/schemas/crm-connection.record';
import { CrmOAuthClient } from './oauth/crm-oauth.client';
import { CrmConsentProofService } from './oauth/crm-consent-proof.service';
import { CrmOAuthCallbackService } from './oauth/crm-oauth-callback.service';
import { CrmOAuthService } from './oauth/crm-oauth.service';
import { CrmTokenService } from './oauth/crm-token.service';
import { CrmFieldsService } from './mapping/crm-fields.service';
import { CrmMappingsService } from './mapping/crm-mappings.service';

const collections = DatabaseModule.collections(CrmConnectionRecord);
const offered = [
  CrmConnectionRepository,
  CrmConnectionHookRegistry,
  CrmConnectionSettingsService,
  CrmCheckService,
  CrmFieldsService,
  CrmMappingsService,
  CrmOAuthService,
  CrmOAuthCallbackService,
];

/** Accounts of workspaces at CRMs: how they let us in, and which field goes where. */
@Module({
  imports: [collections, OAuthModule, AuditModule, EventsModule, WorkspacesModule, OutboundModule],
  providers: [
    ...offered,
    CrmAccountsRepository,
    CrmOAuthClient,
    CrmConsentProofService,
    CrmConnectionGrantService,
    CrmSecretListener,
    CrmTokenService,
  ],
  exports: [...offered, collections],
})
export class CrmConnectionsModule {}
