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
export { WorkspaceFoundationService } from './workspaces.foundation.service';
export { InvitationsService } from './workspaces.invitations.service';
export { InviteService } from './workspaces.invite.service';
export { type Joined, type Joiner, JoiningService } from './workspaces.joining.service';
/** @public for the domains whose records are capped. */
export { WorkspaceLimitsService } from './workspaces.limits.service';
export { MembersService } from './workspaces.members.service';
export { WorkspacesModule } from './workspaces.module';
export { type PurgeWorkspace } from './workspaces.queue';
export { WorkspacesService } from './workspaces.service';
