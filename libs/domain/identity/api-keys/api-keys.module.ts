import { AuditModule } from '@domain/audit';
import { UsersModule } from '../users/users.module';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { ApiKeyAuthenticationService } from './api-key-authentication.service';
import { OperatorKeysService } from './operator-keys.service';
import { ApiKeysService } from './api-keys.service';
import { InvitationAcceptanceService } from './invitation-acceptance.service';
import { ApiKeyRepository } from './api-key.repository';
import { UserKeyRecord } from './schemas/user-key.record';
import { WorkspaceKeyRecord } from './schemas/workspace-key.record';

@Module({
  imports: [DatabaseModule.collections(WorkspaceKeyRecord, UserKeyRecord), UsersModule, WorkspacesModule, AuditModule],
  providers: [
    ApiKeyRepository,
    ApiKeysService,
    ApiKeyAuthenticationService,
    OperatorKeysService,
    InvitationAcceptanceService,
  ],
  exports: [ApiKeyAuthenticationService, ApiKeysService, OperatorKeysService, InvitationAcceptanceService],
})
export class ApiKeysModule {}
