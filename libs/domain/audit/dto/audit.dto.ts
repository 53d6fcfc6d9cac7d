import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField, OneOfField, PageQuery } from '@platform/validation';
import { AUDIT_ACTIONS, AUDIT_TARGETS, type AuditAction, type AuditTargetType } from '../audit-actions';
import { type AuditChanges } from '../audit-changes';
import { type AuditRecord } from '../schemas/audit.record';
import { ActorResponse, toActor } from './actor-response.dto';

/** Query of the audit log; all given conditions apply. */
export class AuditQuery extends PageQuery {
  @OneOfField(AUDIT_ACTIONS, { optional: true, about: 'Only entries of this action.' })
  action?: AuditAction;

  @IdField({ optional: true, about: 'Only entries of this user.' })
  userId?: string;

  @OneOfField(AUDIT_TARGETS, { optional: true, about: 'Only entries about records of this kind.' })
  targetType?: AuditTargetType;

  @IdField({ optional: true, about: 'Only entries about the record with this id.' })
  targetId?: string;

  @InstantField({ optional: true, about: 'Only entries at or after this time.' })
  from?: string;

  @InstantField({ optional: true, about: 'Only entries before this time; must be later than `from`.' })
  to?: string;
}

export class AuditTargetResponse {
  @ApiProperty({ type: 'string', enum: AUDIT_TARGETS, description: 'Kind of the affected record.' })
  type!: AuditTargetType;

  @ApiProperty({ type: 'string', description: 'Id of the affected record; for a member, the id of the user.' })
  id!: string;
}

export class AuditEntryResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', enum: AUDIT_ACTIONS, description: 'The action.' })
  action!: AuditAction;

  @ApiProperty({ type: ActorResponse, description: 'The actor.' })
  actor!: ActorResponse;

  @ApiProperty({ type: AuditTargetResponse, description: 'The affected record.' })
  target!: AuditTargetResponse;

  @ApiProperty({
    type: 'object',
    nullable: true,
    additionalProperties: { type: 'object', required: ['from', 'to'], properties: { from: {}, to: {} } },
    example: { role: { from: 'member', to: 'admin' } },
    description:
      'Each changed field with its value before and after; null when no field changed. Never holds a secret.',
  })
  changes!: AuditChanges | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      '`X-Request-Id` of the request; null for actions of the platform or of the operator at the command line.',
  })
  requestId!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

export function toAuditEntry(record: AuditRecord): AuditEntryResponse {
  const { _id, action, actor, target, changes, requestId, createdAt } = record;
  return {
    _id: _id.toHexString(),
    action,
    actor: toActor(actor),
    target: { type: target.type, id: target.id },
    changes,
    requestId,
    createdAt: createdAt.toISOString(),
  };
}
