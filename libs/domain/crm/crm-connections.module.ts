import { AuditModule } from '@domain/audit';
import { EventsModule } from '@domain/events';
import { WorkspacesModule } from '@domain/identity';
import { OAuthModule } from '@domain/oauth';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { CrmConnectionRepository } from './connections/crm-connection.repository';
import { CrmCheckService } from './connections/crm-check.service';
import { CrmConnectionSettingsService } from './connections/crm-connection-settings.service';
import { CrmSecretListener } from './connections/crm-secret.listener';
import { CrmConnectionRecord } from './connections/schemas/crm-connection.record';
import { CrmOAuthService } from './oauth/crm-oauth.service';
import { CrmMappingsService } from './mapping/crm-mappings.service';

const collections = DatabaseModule.collections(CrmConnectionRecord);
const offered = [
  CrmConnectionRepository,
  CrmConnectionSettingsService,
  CrmCheckService,
  CrmMappingsService,
  CrmOAuthService,
];

/** CRM accounts of workspaces: credentials and field mappings. */
@Module({
  imports: [collections, OAuthModule, AuditModule, EventsModule, WorkspacesModule],
  providers: [...offered, CrmSecretListener, CrmOAuthService],
  exports: [...offered, collections],
})
export class CrmConnectionsModule {}
