import { FlagField, TextField } from '@platform/validation';
import { ApiProperty } from '@nestjs/swagger';
import { type AgentKillSwitchRecord } from '../schemas/agent-kill-switch.record';

const MAX_REASON = 500;

export class TurnAgentSwitchRequest {
  @FlagField({ about: 'true: no agent of the workspace writes or sends anything, effective at once.' })
  off!: boolean;

  @TextField({ max: MAX_REASON, optional: true, about: 'For people: why.' })
  reason?: string;
}

export class AgentSwitchResponse {
  @ApiProperty({ type: 'boolean' })
  off!: boolean;

  @ApiProperty({ type: 'string', nullable: true, description: 'Reason of the last change.' })
  reason!: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'User id of the last change; null: a workspace key, the operator, or no change so far.',
  })
  changedBy!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'null without any change so far.' })
  changedAt!: string | null;
}

/** @param record null when the switch was never used */
export function toAgentSwitch(record: AgentKillSwitchRecord | null): AgentSwitchResponse {
  return {
    off: record?.off ?? false,
    reason: record?.reason ?? null,
    changedBy: record?.changedBy ?? null,
    changedAt: record?.updatedAt.toISOString() ?? null,
  };
}
