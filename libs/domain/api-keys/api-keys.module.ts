import { AuditModule } from '@domain/audit';
import { UsersModule } from '@domain/users';
import { WorkspacesModule } from '@domain/workspaces';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { KeyAuthentication } from './api-keys.authentication.service';
import { OperatorKeysService } from './api-keys.operator.service';
import { ApiKeysService } from './api-keys.service';
import { InvitationAcceptance } from './invitation-acceptance.service';
import { KeyCreation } from './key.creation.service';
import { KeyStore } from './key.store.service';
import { UserKeyRecord } from './schemas/user-key.record';
import { WorkspaceKeyRecord } from './schemas/workspace-key.record';

@Module({
  imports: [DatabaseModule.collections(WorkspaceKeyRecord, UserKeyRecord), UsersModule, WorkspacesModule, AuditModule],
  providers: [KeyStore, KeyCreation, KeyAuthentication, ApiKeysService, OperatorKeysService, InvitationAcceptance],
  exports: [KeyAuthentication, ApiKeysService, OperatorKeysService, InvitationAcceptance],
})
export class ApiKeysModule {}
