import { ApiProperty } from '@nestjs/swagger';
import { VERIFICATION_ACTIONS, type VerificationAction, getVerification } from '../campaign-verification';
import { type CampaignRecord } from '../schemas/campaign.record';

class CampaignProblemResponse {
  @ApiProperty({ type: 'string', description: 'content_refused, bounce_rate, …' })
  code!: string;

  @ApiProperty({ type: 'string', description: 'One sentence.' })
  message!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;
}

class LeadVerificationPolicyResponse {
  @ApiProperty({ type: 'string', enum: ['off', 'on'] })
  mode!: 'off' | 'on';

  @ApiProperty({ type: 'string', enum: VERIFICATION_ACTIONS })
  invalid!: VerificationAction;

  @ApiProperty({ type: 'string', enum: VERIFICATION_ACTIONS })
  risky!: VerificationAction;

  @ApiProperty({ type: 'string', enum: VERIFICATION_ACTIONS })
  catchAll!: VerificationAction;

  @ApiProperty({ type: 'string', enum: ['send', 'hold'] })
  unknown!: VerificationAction;

  @ApiProperty({ type: 'string', enum: ['send', 'hold'] })
  noCredits!: VerificationAction;
}

/** Settings without a field in the contract's campaign (docs/decisions/0004). */
export class CampaignSettingsResponse {
  @ApiProperty({ type: 'string' })
  campaignId!: string;

  @ApiProperty({
    type: 'boolean',
    description: 'Whether the schedule’s hours are the lead’s own, where its zone is known.',
  })
  useLeadTimezone!: boolean;

  @ApiProperty({ type: 'boolean', description: 'Whether an answer ends the sequence for everybody at the company.' })
  stopCompanyOnReply!: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Emails a day; null: no limit of its own.' })
  dailyLimit!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'New leads a day; null: no limit of its own.' })
  newLeadsPerDay!: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Emails a day to one recipient domain; null: no limit.',
  })
  domainDailyLimit!: number | null;

  @ApiProperty({ type: 'boolean', description: 'Whether follow-ups go before new leads.' })
  followUpsFirst!: boolean;

  @ApiProperty({
    type: LeadVerificationPolicyResponse,
    description: 'The action for leads by the result of their verification.',
  })
  verification!: LeadVerificationPolicyResponse;

  @ApiProperty({ type: 'integer', description: 'Published version of the sequence; 0: none yet.' })
  sequenceVersion!: number;

  @ApiProperty({
    type: CampaignProblemResponse,
    nullable: true,
    description: 'Why it was stopped, if it was not by a person.',
  })
  problem!: CampaignProblemResponse | null;
}

export function toCampaignSettings(record: CampaignRecord): CampaignSettingsResponse {
  const { problem } = record;
  return {
    campaignId: record._id.toHexString(),
    useLeadTimezone: record.useLeadTimezone,
    stopCompanyOnReply: record.stopCompanyOnReply,
    dailyLimit: record.dailyLimit,
    newLeadsPerDay: record.newLeadsPerDay,
    domainDailyLimit: record.domainDailyLimit,
    followUpsFirst: record.followUpsFirst,
    verification: getVerification(record),
    sequenceVersion: record.sequenceVersion,
    problem: problem && { code: problem.code, message: problem.message, at: problem.at.toISOString() },
  };
}
