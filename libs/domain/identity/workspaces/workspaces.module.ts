import { AuditModule } from '@domain/audit';
import { CreditsModule } from '@domain/credits';
import { UsersModule } from '../users/users.module';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { InvitationRecord } from './schemas/invitation.record';
import { WorkspaceRecord } from './schemas/workspace.record';
import { WorkspaceRepository } from './workspace.repository';
import { DefaultWorkspacesRepository } from './default-workspaces.repository';
import { WorkspaceDeletionService } from './workspace-deletion.service';
import { WorkspaceEntryRepository } from './workspace-entry.repository';
import { WorkspaceCreationService } from './workspace-creation.service';
import { InvitationsService } from './invitations.service';
import { InvitationCreationService } from './invitation-creation.service';
import { JoiningService } from './api-keys/joining.service';
import { WorkspaceLimitsService } from './workspace-limits.service';
import { WorkspaceMembersService } from './workspace-members.service';
import { WorkspacePurgeService } from './workspace-purge.service';
import { WorkspacePurgeQueue } from './workspace-purge.queue';
import { WorkspaceRestoreService } from './workspace-restore.service';
import { WorkspacesService } from './workspaces.service';

const offered = [
  WorkspaceEntryRepository,
  WorkspaceCreationService,
  WorkspacesService,
  WorkspaceDeletionService,
  WorkspaceRestoreService,
  WorkspacePurgeService,
  WorkspaceLimitsService,
  WorkspaceMembersService,
  InvitationCreationService,
  InvitationsService,
  JoiningService,
];

@Module({
  imports: [DatabaseModule.collections(WorkspaceRecord, InvitationRecord), UsersModule, AuditModule, CreditsModule],
  providers: [...offered, WorkspaceRepository, DefaultWorkspacesRepository, WorkspacePurgeQueue],
  exports: offered,
})
export class WorkspacesModule {}
