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
import { WorkspaceFoundationService } from './workspaces.foundation.service';
import { InvitationsService } from './workspaces.invitations.service';
import { InviteService } from './workspaces.invite.service';
import { JoiningService } from './workspaces.joining.service';
import { WorkspaceLimitsService } from './workspaces.limits.service';
import { MembersService } from './workspaces.members.service';
import { WorkspacePurge } from './workspaces.purge.service';
import { WorkspacePurgeQueue } from './workspaces.queue';
import { WorkspacesService } from './workspaces.service';

const offered = [
  WorkspaceEntry,
  WorkspaceFoundationService,
  WorkspacesService,
  WorkspaceDeletionService,
  WorkspaceLimitsService,
  MembersService,
  InviteService,
  InvitationsService,
  JoiningService,
];

@Module({
  imports: [DatabaseModule.collections(WorkspaceRecord, InvitationRecord), UsersModule, AuditModule, CreditsModule],
  providers: [...offered, WorkspaceClaims, DefaultWorkspaces, WorkspacePurge, WorkspacePurgeQueue],
  exports: offered,
})
export class WorkspacesModule {}
