export { InvitationResponse, InviteMemberRequest, NewInvitationResponse } from './dto/invitation.dto';
export { ChangeRoleRequest, MemberResponse } from './dto/member.dto';
export {
  CreateWorkspaceRequest,
  MessageResponse,
  UpdateWorkspaceRequest,
  WorkspaceResponse,
} from './dto/workspace.dto';
export { type WorkspaceLimits } from './schemas/workspace.record';
export { WorkspaceDeletionService } from './workspaces.deletion.service';
export { type Standing, WorkspaceEntry } from './workspaces.entry.service';
export { WorkspaceCreationService } from './workspaces.creation.service';
export { InvitationsService } from './workspaces.invitations.service';
export { InvitationCreationService } from './workspaces.invitations.creation.service';
export { type Joined, type Joiner, JoiningService } from './workspaces.joining.service';
export { WorkspaceLimitsService } from './workspaces.limits.service';
export { MembersService } from './workspaces.members.service';
export { WorkspacesModule } from './workspaces.module';
export { WorkspacePurge } from './workspaces.purge.service';
export { type PurgeWorkspace } from './workspaces.queue';
export { WorkspaceRestoreService } from './workspaces.restore.service';
export { WorkspacesService } from './workspaces.service';
