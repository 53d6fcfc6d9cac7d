import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { OneOfField, PageQuery } from '@platform/validation';
import { ACTIVITY_EVENTS, type ActivityEvent } from '../activity-events';
import { ACTIVITY_STATES, type ActivityState, type CrmActivityRecord } from '../schemas/crm-activity.record';

export class CrmActivityQuery extends PageQuery {
  /** 0.2.0 called `sending` `handing`; the next release refuses that name. */
  @Transform(({ value }: { value: unknown }) => (value === 'handing' ? 'sending' : value))
  @OneOfField(ACTIVITY_STATES, { optional: true })
  state?: ActivityState;
}

export class CrmActivityResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', enum: ACTIVITY_EVENTS })
  event!: ActivityEvent;

  @ApiProperty({ type: 'string' })
  leadId!: string;

  @ApiProperty({ type: 'string', nullable: true })
  campaignId!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'When it happened.' })
  at!: string;

  @ApiProperty({
    type: 'string',
    enum: ACTIVITY_STATES,
    description:
      '`pending`: not sent yet. `sending`: in transit. `recorded`: the CRM has it. `refused`: the CRM rejects it, or it is too late. ' +
      '`skipped`: there is no person for it. `unknown`: the CRM may have it; it is not posted again.',
  })
  state!: ActivityState;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why it is not recorded (yet).' })
  reason!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The person in the CRM.' })
  externalId!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The activity in the CRM.' })
  activityId!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;
}

export function toCrmActivity(record: CrmActivityRecord): CrmActivityResponse {
  const { _id, event, leadId, campaignId, at, state, reason, externalId, activityId, createdAt } = record;
  return {
    _id: _id.toHexString(),
    event,
    leadId: leadId.toHexString(),
    campaignId: campaignId && campaignId.toHexString(),
    at: at.toISOString(),
    state,
    reason,
    externalId,
    activityId,
    createdAt: createdAt.toISOString(),
  };
}
