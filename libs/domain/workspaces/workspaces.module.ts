import { AuditModule } from '@domain/audit';
import { CreditsModule } from '@domain/credits';
import { UsersModule } from '@domain/users';
import { Module } from '@nestjs/common';
import { DatabaseModule } from '@platform/database';
import { InvitationRecord } from './schemas/invitation.record';
import { WorkspaceRecord } from './schemas/workspace.record';
import { WorkspaceClaims } from './workspaces.claims.service';
import { DefaultWorkspaces } from './workspaces.defaults.service';
import { WorkspaceDeletionService } from './workspaces.deletion.service';
import { WorkspaceEntry } from './workspaces.entry.service';
import { WorkspaceCreationService } from './workspaces.creation.service';
import { InvitationsService } from './workspaces.invitations.service';
import { InvitationCreationService } from './workspaces.invitations.creation.service';
import { JoiningService } from './workspaces.joining.service';
import { WorkspaceLimitsService } from './workspaces.limits.service';
import { MembersService } from './workspaces.members.service';
import { WorkspacePurge } from './workspaces.purge.service';
import { WorkspacePurgeQueue } from './workspaces.queue';
import { WorkspaceRestoreService } from './workspaces.restore.service';
import { WorkspacesService } from './workspaces.service';

const offered = [
  WorkspaceEntry,
  WorkspaceCreationService,
  WorkspacesService,
  WorkspaceDeletionService,
  WorkspaceRestoreService,
  WorkspacePurge,
  WorkspaceLimitsService,
  MembersService,
  InvitationCreationService,
  InvitationsService,
  JoiningService,
];

@Module({
  imports: [DatabaseModule.collections(WorkspaceRecord, InvitationRecord), UsersModule, AuditModule, CreditsModule],
  providers: [...offered, WorkspaceClaims, DefaultWorkspaces, WorkspacePurgeQueue],
  exports: offered,
})
export class WorkspacesModule {}
