import { type CrmType } from '@adapters/crm';
import { ApiProperty } from '@nestjs/swagger';
import { ACTIVITY_EVENTS, type ActivityEvent, PUSH_EVENTS, type PushEvent } from '../../activity/activity-events';
import { type Backfill, type CrmAutomationRecord, type SyncSchedule } from '../schemas/crm-automation.record';

export class PushRhythmResponse {
  @ApiProperty({ type: 'integer' })
  everyMinutes!: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  nextAt!: string;
}

export class PullRhythmResponse extends PushRhythmResponse {
  @ApiProperty({ type: 'string', description: 'Where new people land.' })
  campaignId!: string;
}

export class ActivityBackfillResponse {
  @ApiProperty({ type: 'string', format: 'date-time' })
  from!: string;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Not included.' })
  to!: string;

  @ApiProperty({ type: 'integer', description: 'Activities that it made so far.' })
  made!: number;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  completedAt!: string | null;
}

export class CrmAutomationResponse {
  @ApiProperty({ type: 'string' })
  crmType!: CrmType;

  @ApiProperty({ type: 'string', enum: ACTIVITY_EVENTS, isArray: true })
  activities!: ActivityEvent[];

  @ApiProperty({ type: 'string', enum: PUSH_EVENTS, isArray: true })
  pushOn!: PushEvent[];

  @ApiProperty({ type: 'string', isArray: true, description: 'Empty: all.' })
  campaignIds!: string[];

  @ApiProperty({ type: 'boolean' })
  createPeople!: boolean;

  @ApiProperty({ type: PullRhythmResponse, nullable: true })
  pull!: PullRhythmResponse | null;

  @ApiProperty({ type: PushRhythmResponse, nullable: true })
  push!: PushRhythmResponse | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why the last sync did not start.' })
  problem!: string | null;

  @ApiProperty({ type: ActivityBackfillResponse, nullable: true, description: 'The last one.' })
  backfill!: ActivityBackfillResponse | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'null: nothing was ever set.' })
  updatedAt!: string | null;
}

/** @param record null before the first settings */
export function toCrmAutomation(crmType: CrmType, record: CrmAutomationRecord | null): CrmAutomationResponse {
  if (record === null) {
    const none = { activities: [], pushOn: [], campaignIds: [], createPeople: false, pull: null, push: null };
    return { crmType, ...none, problem: null, backfill: null, updatedAt: null };
  }
  const { activities, pushOn, campaignIds, createPeople, pull, push, problem, backfill, updatedAt } = record;
  return {
    crmType,
    activities,
    pushOn,
    campaignIds: campaignIds.map((id) => id.toHexString()),
    createPeople,
    pull: pull && { ...toScheduleFields(pull), campaignId: pull.campaignId.toHexString() },
    push: push && toScheduleFields(push),
    problem,
    backfill: backfill && toActivityBackfill(backfill),
    updatedAt: updatedAt.toISOString(),
  };
}

export function toActivityBackfill({ from, to, made, completedAt }: Backfill): ActivityBackfillResponse {
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    made,
    completedAt: completedAt && completedAt.toISOString(),
  };
}

function toScheduleFields({ everyMinutes, nextAt }: SyncSchedule): { everyMinutes: number; nextAt: string } {
  return { everyMinutes, nextAt: nextAt.toISOString() };
}
