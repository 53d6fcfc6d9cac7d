import { REPLY_LABELS, type ReplyLabel } from '@domain/inbox';
import { ApiProperty } from '@nestjs/swagger';
import {
  type AgentTrainingRecord,
  TRAINING_STATUSES,
  type TrainingStatus,
} from '../training/schemas/agent-training.record';
import { type AgentRecord, type Approval, APPROVALS } from '../schemas/agent.record';

class CompanyInfoResponse {
  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'string' })
  description!: string;

  @ApiProperty({ type: 'string', description: 'Host name; empty if unknown.' })
  domain!: string;
}

class PersonaResponse {
  @ApiProperty({ type: 'string' })
  tone!: string;

  @ApiProperty({ type: 'string' })
  role!: string;

  @ApiProperty({ type: 'string' })
  communicationStyle!: string;

  @ApiProperty({ type: 'string' })
  customInstructions!: string;
}

export class AgentResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string', description: 'User id of the creator.' })
  userId!: string;

  @ApiProperty({ type: 'string' })
  workspaceId!: string;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: CompanyInfoResponse })
  companyInfo!: CompanyInfoResponse;

  @ApiProperty({ type: PersonaResponse })
  persona!: PersonaResponse;

  @ApiProperty({
    type: 'boolean',
    description: 'Whether it is the default agent; a workspace with agents has exactly one.',
  })
  isDefault!: boolean;

  @ApiProperty({ type: 'boolean' })
  isActive!: boolean;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updatedAt!: string;
}

class WorkingHoursResponse {
  @ApiProperty({ type: 'string' })
  timezone!: string;

  @ApiProperty({ type: 'string' })
  startTime!: string;

  @ApiProperty({ type: 'string' })
  endTime!: string;

  @ApiProperty({ type: 'integer', isArray: true, description: '1 Monday to 7 Sunday.' })
  workingDays!: number[];
}

class AutonomousModeResponse {
  @ApiProperty({ type: 'boolean' })
  enabled!: boolean;

  @ApiProperty({ type: 'string', enum: REPLY_LABELS, isArray: true })
  labels!: ReplyLabel[];

  @ApiProperty({ type: 'integer' })
  delayMinutes!: number;

  @ApiProperty({ type: 'integer' })
  dailyLimit!: number;

  @ApiProperty({ type: 'string', enum: APPROVALS })
  approval!: Approval;

  @ApiProperty({ type: WorkingHoursResponse, nullable: true, description: 'null: at any time.' })
  workingHours!: WorkingHoursResponse | null;

  @ApiProperty({ type: 'string', isArray: true, description: 'Lower case.' })
  stopWords!: string[];
}

class FollowupSettingsResponse {
  @ApiProperty({ type: 'boolean' })
  enabled!: boolean;

  @ApiProperty({ type: 'integer' })
  maxFollowups!: number;

  @ApiProperty({ type: 'integer' })
  delayDays!: number;
}

class TrainingStandingResponse {
  @ApiProperty({ type: 'string', enum: TRAINING_STATUSES })
  status!: TrainingStatus;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the training ended, with any status.',
  })
  completedAt!: string | null;
}

/** Details beyond the fields of the agent. */
export class AgentDetailsResponse {
  @ApiProperty({ type: 'string' })
  agentId!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Host of the training website; null without one.' })
  website!: string | null;

  @ApiProperty({ type: AutonomousModeResponse })
  autonomousMode!: AutonomousModeResponse;

  @ApiProperty({ type: FollowupSettingsResponse })
  followupSettings!: FollowupSettingsResponse;

  @ApiProperty({
    type: TrainingStandingResponse,
    nullable: true,
    description: 'The latest training; null without one.',
  })
  training!: TrainingStandingResponse | null;
}

export function toAgent(record: AgentRecord): AgentResponse {
  const { companyInfo, persona } = record;
  return {
    _id: record._id.toHexString(),
    userId: record.userId,
    workspaceId: record.workspaceId.toHexString(),
    name: record.name,
    companyInfo: { name: companyInfo.name, description: companyInfo.description, domain: companyInfo.domain },
    persona: {
      tone: persona.tone,
      role: persona.role,
      communicationStyle: persona.communicationStyle,
      customInstructions: persona.customInstructions,
    },
    isDefault: record.isDefault,
    isActive: record.isActive,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

export function toAgentDetails(
  record: AgentRecord,
  training: Pick<AgentTrainingRecord, 'status' | 'completedAt'> | null,
): AgentDetailsResponse {
  const { enabled, labels, delayMinutes, dailyLimit, approval, workingHours, stopWords } = record.autonomousMode;
  const { maxFollowups, delayDays } = record.followupSettings;
  return {
    agentId: record._id.toHexString(),
    website: record.website,
    autonomousMode: {
      enabled,
      labels: [...labels],
      delayMinutes,
      dailyLimit,
      approval,
      workingHours: workingHours && {
        timezone: workingHours.timezone,
        startTime: workingHours.startTime,
        endTime: workingHours.endTime,
        workingDays: [...workingHours.workingDays],
      },
      stopWords: [...stopWords],
    },
    followupSettings: { enabled: record.followupSettings.enabled, maxFollowups, delayDays },
    training: training && { status: training.status, completedAt: training.completedAt?.toISOString() ?? null },
  };
}
