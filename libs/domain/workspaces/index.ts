export { InvitationResponse, InviteMemberRequest, NewInvitationResponse } from './dto/invitation.dto';
export { ChangeRoleRequest, MemberResponse } from './dto/member.dto';
export {
  CreateWorkspaceRequest,
  MessageResponse,
  UpdateWorkspaceRequest,
  WorkspaceResponse,
} from './dto/workspace.dto';
export { type WorkspaceLimits } from './schemas/workspace.record';
export { WorkspaceDeletionService } from './workspace-deletion.service';
export { type EntryDecision, WorkspaceEntryRepository } from './workspace-entry.repository';
export { WorkspaceCreationService } from './workspace-creation.service';
export { InvitationsService } from './invitations.service';
export { InvitationCreationService } from './invitation-creation.service';
export { type Joined, type Joiner, JoiningService } from './api-keys/joining.service';
export { WorkspaceLimitsService } from './workspace-limits.service';
export { WorkspaceMembersService } from './workspace-members.service';
export { WorkspacesModule } from './workspaces.module';
export { WorkspacePurgeService } from './workspace-purge.service';
export { type PurgeWorkspace } from './workspace-purge.queue';
export { WorkspaceRestoreService } from './workspace-restore.service';
export { WorkspacesService } from './workspaces.service';
