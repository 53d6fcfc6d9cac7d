import { ApiProperty } from '@nestjs/swagger';
import { EmailField, OneOfField } from '@platform/validation';
import { type InvitationRecord } from '../schemas/invitation.record';
import { INVITED_ROLES, type InvitedRole } from '../schemas/workspace.record';

export class InviteMemberRequest {
  @EmailField()
  email!: string;

  @OneOfField(INVITED_ROLES, {
    optional: true,
    about: 'Default: the default role of the workspace, but no higher than the role of the inviter.',
  })
  role?: InvitedRole;
}

const STATUSES = ['pending', 'accepted', 'revoked', 'expired'] as const;

export class InvitationResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', format: 'email' })
  email!: string;

  @ApiProperty({ type: 'string', enum: [...INVITED_ROLES] })
  role!: InvitedRole;

  @ApiProperty({ type: 'string', enum: [...STATUSES] })
  status!: (typeof STATUSES)[number];

  @ApiProperty({ type: 'string', format: 'date-time' })
  expiresAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

export class NewInvitationResponse extends InvitationResponse {
  @ApiProperty({ type: 'string', description: 'Shown only once: give it to the invited person.' })
  token!: string;
}

/** A pending invitation that has expired reads `expired`: it takes no seat and can be replaced by a new one. */
export function toInvitation(record: InvitationRecord, now: Date): InvitationResponse {
  const expired = record.status === 'pending' && record.expiresAt <= now;
  return {
    _id: record._id.toHexString(),
    email: record.email,
    role: record.role,
    status: expired ? 'expired' : record.status,
    expiresAt: record.expiresAt.toISOString(),
    createdAt: record.createdAt.toISOString(),
  };
}

export function toNewInvitation(record: InvitationRecord, now: Date, token: string): NewInvitationResponse {
  return Object.assign(toInvitation(record, now), { token });
}
