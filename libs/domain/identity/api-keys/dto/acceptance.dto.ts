import { ROLES, type Role } from '@domain/access';
import { type Joined } from '../../workspaces/invitations.service';
import { ApiProperty } from '@nestjs/swagger';
import { NameField, TextField } from '@platform/validation';

export class AcceptInvitationRequest {
  @TextField({ max: 200, about: 'The token received from the inviter.' })
  token!: string;

  @NameField({ optional: true, about: 'Name of the new user; required where no key is sent.' })
  name?: string;
}

export class AcceptedInvitationResponse {
  @ApiProperty({ type: 'string' })
  workspaceId!: string;

  @ApiProperty({ type: 'string' })
  userId!: string;

  @ApiProperty({ type: 'string', enum: ROLES })
  role!: Role;

  @ApiProperty({ type: 'string', format: 'date-time' })
  joinedAt!: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Platform key of a new user, shown only once; null for a user who has a key.',
  })
  key!: string | null;
}

export function toAcceptedInvitation(
  { workspaceId, userId, role, joinedAt }: Joined,
  key: string | null,
): AcceptedInvitationResponse {
  return { workspaceId, userId, role, joinedAt: joinedAt.toISOString(), key };
}
