import { AuditModule } from '@domain/audit';
import { CreditsModule } from '@domain/credits';
import { UsersModule } from '../users/users.module';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { InvitationRecord } from './schemas/invitation.record';
import { WorkspaceRecord } from './schemas/workspace.record';
import { WorkspaceRepository } from './workspace.repository';
import { WorkspaceDeletionService } from './workspace-deletion.service';
import { WorkspacesService } from './workspaces.service';
import { InvitationsService } from './invitations.service';
import { WorkspaceLimitsService } from './workspace-limits.service';
import { WorkspaceMembersService } from './workspace-members.service';
import { WorkspacePurgeQueue } from './workspace-purge.queue';

const offered = [
  WorkspaceRepository,
  WorkspacesService,
  WorkspaceDeletionService,
  WorkspaceLimitsService,
  WorkspaceMembersService,
  InvitationsService,
];

@Module({
  imports: [DatabaseModule.collections(WorkspaceRecord, InvitationRecord), UsersModule, AuditModule, CreditsModule],
  providers: [...offered, WorkspaceRepository, WorkspacePurgeQueue],
  exports: offered,
})
export class WorkspacesModule {}
