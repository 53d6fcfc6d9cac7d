export { ApiKeyAuthenticationService } from './api-keys/api-key-authentication.service';
export { ApiKeysModule } from './api-keys/api-keys.module';
export { ApiKeysService } from './api-keys/api-keys.service';
export { AcceptInvitationRequest, AcceptedInvitationResponse } from './api-keys/dto/acceptance.dto';
export {
  ApiKeyQuery,
  ApiKeyResponse,
  CreateApiKeyRequest,
  NewApiKeyResponse,
  RotateApiKeyRequest,
} from './api-keys/dto/api-key.dto';
export { InvitationAcceptanceService } from './api-keys/invitation-acceptance.service';
export { type IssueKey, OperatorKeysService } from './api-keys/operator-keys.service';
export { type User } from './users/dto/user.dto';
export { UsersModule } from './users/users.module';
export { UsersService } from './users/users.service';
export { InvitationResponse, InviteMemberRequest, NewInvitationResponse } from './workspaces/dto/invitation.dto';
export { ChangeRoleRequest, MemberResponse } from './workspaces/dto/member.dto';
export {
  CreateWorkspaceRequest,
  MessageResponse,
  UpdateWorkspaceRequest,
  WorkspaceResponse,
} from './workspaces/dto/workspace.dto';
export { InvitationsService } from './workspaces/invitations.service';
export { type WorkspaceLimits } from './workspaces/schemas/workspace.record';
export { WorkspacesService } from './workspaces/workspaces.service';
export { WorkspaceDeletionService } from './workspaces/workspace-deletion.service';
export { type EntryDecision, WorkspaceRepository } from './workspaces/workspace.repository';
export { WorkspaceLimitsService } from './workspaces/workspace-limits.service';
export { WorkspaceMembersService } from './workspaces/workspace-members.service';
export { type PurgeWorkspace } from './workspaces/workspace-purge.queue';
export { WorkspacesModule } from './workspaces/workspaces.module';
