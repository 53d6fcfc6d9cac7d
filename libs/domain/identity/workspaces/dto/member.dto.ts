import { ApiProperty } from '@nestjs/swagger';
import { type Role, ROLES } from '@domain/access';
import { OneOfField } from '@platform/validation';
import { type Member } from '../schemas/workspace.record';

export class ChangeRoleRequest {
  @OneOfField(ROLES, { about: '`owner` transfers the ownership; the previous owner becomes an admin.' })
  role!: Role;
}

export class MemberResponse {
  @ApiProperty({ type: 'string' })
  userId!: string;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'string', format: 'email' })
  email!: string;

  @ApiProperty({ type: 'string', enum: [...ROLES] })
  role!: Role;

  @ApiProperty({ type: 'string', format: 'date-time' })
  joinedAt!: string;
}

export function toMember(member: Member, who: { name: string; email: string }): MemberResponse {
  return {
    userId: member.userId.toHexString(),
    name: who.name,
    email: who.email,
    role: member.role,
    joinedAt: member.joinedAt.toISOString(),
  };
}
