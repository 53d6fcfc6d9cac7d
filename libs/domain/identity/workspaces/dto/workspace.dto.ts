import { ApiProperty } from '@nestjs/swagger';
import { type Role, ROLES } from '@domain/access';
import { FlagField, NameField, OneOfField } from '@platform/validation';
import { Type } from 'class-transformer';
import { IsObject, ValidateIf, ValidateNested } from 'class-validator';
import {
  INVITED_ROLES,
  type InvitedRole,
  type WorkspaceLimits,
  type WorkspaceRecord,
  type WorkspaceSettings,
} from '../schemas/workspace.record';

export class CreateWorkspaceRequest {
  @NameField()
  name!: string;
}

export class WorkspaceSettingsRequest {
  @FlagField({ optional: true, about: 'Whether plain members may invite other members.' })
  allowMemberInvites?: boolean;

  @OneOfField(INVITED_ROLES, { optional: true, about: 'Role of an invitation that specifies none.' })
  defaultRole?: InvitedRole;
}

export class UpdateWorkspaceRequest {
  @NameField({ optional: true })
  name?: string;

  @ApiProperty({ type: () => WorkspaceSettingsRequest, required: false })
  @ValidateIf((_object, value) => value !== undefined)
  @Type(() => WorkspaceSettingsRequest)
  @ValidateNested()
  @IsObject({ message: '$property must be an object' })
  settings?: WorkspaceSettingsRequest;
}

class WorkspaceMemberResponse {
  @ApiProperty({ type: 'string' })
  userId!: string;

  @ApiProperty({ type: 'string', enum: [...ROLES] })
  role!: Role;

  @ApiProperty({ type: 'string', format: 'date-time' })
  joinedAt!: string;
}

class WorkspaceSettingsResponse implements WorkspaceSettings {
  @ApiProperty({ type: 'boolean' })
  allowMemberInvites!: boolean;

  @ApiProperty({ type: 'string', enum: [...INVITED_ROLES] })
  defaultRole!: InvitedRole;
}

class WorkspaceLimitsResponse implements WorkspaceLimits {
  @ApiProperty({ type: 'integer', description: 'Members, including pending invitations.' })
  maxMembers!: number;

  @ApiProperty({ type: 'integer' })
  maxCampaigns!: number;

  @ApiProperty({ type: 'integer' })
  maxLeads!: number;

  @ApiProperty({ type: 'integer' })
  maxMailboxes!: number;
}

export class WorkspaceResponse {
  @ApiProperty({ type: 'string' })
  id!: string;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'string', description: 'User id of the owner.' })
  ownerId!: string;

  @ApiProperty({ type: [WorkspaceMemberResponse] })
  members!: WorkspaceMemberResponse[];

  @ApiProperty({ type: WorkspaceSettingsResponse })
  settings!: WorkspaceSettingsResponse;

  @ApiProperty({ type: WorkspaceLimitsResponse })
  limits!: WorkspaceLimitsResponse;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

/** The answer of a deletion or another action without a record to return. */
export class MessageResponse {
  @ApiProperty({ type: 'string' })
  message!: string;
}

export function toWorkspace(record: WorkspaceRecord): WorkspaceResponse {
  const { settings, limits } = record;
  return {
    id: record._id.toHexString(),
    name: record.name,
    ownerId: record.ownerId.toHexString(),
    members: record.members.map(({ userId, role, joinedAt }) => ({
      userId: userId.toHexString(),
      role,
      joinedAt: joinedAt.toISOString(),
    })),
    settings: { allowMemberInvites: settings.allowMemberInvites, defaultRole: settings.defaultRole },
    limits: {
      maxMembers: limits.maxMembers,
      maxCampaigns: limits.maxCampaigns,
      maxLeads: limits.maxLeads,
      maxMailboxes: limits.maxMailboxes,
    },
    createdAt: record.createdAt.toISOString(),
  };
}
