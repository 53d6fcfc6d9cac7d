import { ApiProperty } from '@nestjs/swagger';
import { IdField, InstantField, OneOfField, PageQuery } from '@platform/validation';
import { AUDIT_ACTIONS, AUDIT_TARGETS, type AuditAction, type AuditTargetType } from '../audit-actions';
import { type AuditChanges } from '../audit-changes';
import { type AuditRecord } from '../schemas/audit.record';
import { ActorResponse, toActor } from './actor-response.dto';

/** Query of the audit log; all conditions given must hold. */
export class AuditQuery extends PageQuery {
  @OneOfField(AUDIT_ACTIONS, { optional: true, about: 'Only this action.' })
  action?: AuditAction;

  @IdField({ optional: true, about: 'Only what this person did.' })
  userId?: string;

  @OneOfField(AUDIT_TARGETS, { optional: true, about: 'Only what was done to records of this kind.' })
  targetType?: AuditTargetType;

  @IdField({ optional: true, about: 'Only what was done to the record with this id.' })
  targetId?: string;

  @InstantField({ optional: true, about: 'Only what was done at or after this time.' })
  from?: string;

  @InstantField({ optional: true, about: 'Only what was done before this time; later than `from`.' })
  to?: string;
}

export class AuditTargetResponse {
  @ApiProperty({ type: 'string', enum: AUDIT_TARGETS, description: 'Kind of record that was acted on.' })
  type!: AuditTargetType;

  @ApiProperty({ type: 'string', description: 'Its id; for a member the id of the user.' })
  id!: string;
}

export class AuditEntryResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', enum: AUDIT_ACTIONS, description: 'What was done.' })
  action!: AuditAction;

  @ApiProperty({ type: ActorResponse, description: 'Who did it.' })
  actor!: ActorResponse;

  @ApiProperty({ type: AuditTargetResponse, description: 'The record it was done to.' })
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
      '`X-Request-Id` of the request that did it; null for what the platform or its operator did by themselves.',
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
