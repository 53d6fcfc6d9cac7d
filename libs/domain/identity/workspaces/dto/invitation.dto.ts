import { ApiProperty } from '@nestjs/swagger';
import { EmailField, OneOfField } from '@platform/validation';
import { type InvitationRecord } from '../schemas/invitation.record';
import { INVITED_ROLES, type InvitedRole } from '../schemas/workspace.record';

export class InviteMemberRequest {
  @EmailField()
  email!: string;

  @OneOfField(INVITED_ROLES, {
    optional: true,
    about: "Without it the workspace's default role, at most the inviter's own.",
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
  @ApiProperty({ type: 'string', description: 'Shown this once: hand it to the person who is invited.' })
  token!: string;
}

/** A pending invitation that ran out reads `expired`: it holds no seat and gives way to a new one. */
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
