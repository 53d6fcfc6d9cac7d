import { type SequenceStep } from '@domain/campaigns';
import { ApiProperty } from '@nestjs/swagger';
import { SKIP_REASONS, type SkippedLead } from '../lead-rows';
import {
  LEAD_STATUSES,
  type LeadRecord,
  type LeadStatus,
  type LeadVerification,
  STOP_REASONS,
  type StopReason,
} from '../schemas/lead.record';

class LeadStepResponse {
  @ApiProperty({ type: 'string' })
  id!: string;

  @ApiProperty({ type: 'integer', description: 'Place in the sequence, from 0.' })
  order!: number;
}

class LeadVerificationResponse {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      '`valid`, `invalid`, `risky`, `catch_all`, `unknown`; null while there is none, or it was not paid for.',
  })
  result!: string | null;

  @ApiProperty({
    type: 'string',
    isArray: true,
    description: 'Reasons of the result; before it, the reasons for waiting.',
  })
  reasons!: string[];

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  checkedAt!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Time of the next attempt; null after the last one.',
  })
  nextAt!: string | null;
}

export class LeadResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  campaignId!: string;

  @ApiProperty({ type: 'string', description: 'In its normal form.' })
  email!: string;

  @ApiProperty({ type: 'string' })
  firstName!: string;

  @ApiProperty({ type: 'string' })
  lastName!: string;

  @ApiProperty({ type: 'string' })
  companyName!: string;

  @ApiProperty({ type: 'string' })
  jobTitle!: string;

  @ApiProperty({ type: 'string' })
  phone!: string;

  @ApiProperty({ type: 'string' })
  website!: string;

  @ApiProperty({ type: 'string' })
  linkedinUrl!: string;

  @ApiProperty({ type: 'string' })
  city!: string;

  @ApiProperty({ type: 'string' })
  country!: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  variables!: Record<string, string>;

  @ApiProperty({ type: 'string', nullable: true, description: 'IANA name.' })
  timezone!: string | null;

  @ApiProperty({ type: 'string', enum: LEAD_STATUSES })
  status!: LeadStatus;

  @ApiProperty({ type: 'string', enum: STOP_REASONS, nullable: true, description: 'null while the lead is active.' })
  stopReason!: StopReason | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the lead resumes automatically.',
  })
  resumeAt!: string | null;

  @ApiProperty({ type: LeadVerificationResponse, nullable: true, description: 'null: the address is not verified.' })
  verification!: LeadVerificationResponse | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The sender of its emails; null until the first one.' })
  mailboxId!: string | null;

  @ApiProperty({ type: LeadStepResponse, nullable: true, description: 'The next step; null without one.' })
  step!: LeadStepResponse | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When its next step is due.' })
  dueAt!: string | null;

  @ApiProperty({ type: 'integer', description: 'Number of emails sent to the lead.' })
  sentCount!: number;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  lastSentAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updatedAt!: string;
}

class SkippedLeadResponse {
  @ApiProperty({ type: 'integer', description: 'Place in the request, from 0.' })
  index!: number;

  @ApiProperty({ type: 'string' })
  email!: string;

  @ApiProperty({ type: 'string', enum: SKIP_REASONS.filter((reason) => reason !== 'invalid_address') })
  reason!: SkippedLead['reason'];
}

class CreatedLeadResponse {
  @ApiProperty({ type: 'integer', description: 'Place in the request, from 0.' })
  index!: number;

  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  email!: string;
}

export class LeadsAddedResponse {
  @ApiProperty({ type: 'integer' })
  created!: number;

  @ApiProperty({ type: CreatedLeadResponse, isArray: true })
  leads!: CreatedLeadResponse[];

  @ApiProperty({
    type: SkippedLeadResponse,
    isArray: true,
    description: 'Already in the campaign, removed from it after an email, or repeated in the request.',
  })
  duplicates!: SkippedLeadResponse[];

  @ApiProperty({ type: SkippedLeadResponse, isArray: true, description: 'Addresses on the suppression list.' })
  suppressed!: SkippedLeadResponse[];
}

export class LeadActionResponse {
  @ApiProperty({ type: 'string', enum: ['pause', 'resume', 'remove'] })
  action!: string;

  @ApiProperty({ type: 'integer', description: 'Number of leads whose state changed.' })
  modifiedCount!: number;
}

function toVerification({ result, reasons, checkedAt, nextAt }: LeadVerification): LeadVerificationResponse {
  return {
    result,
    reasons: [...reasons],
    checkedAt: checkedAt?.toISOString() ?? null,
    nextAt: nextAt?.toISOString() ?? null,
  };
}

/** @param step the next step of the lead */
export function toLead(record: LeadRecord, step: Pick<SequenceStep, '_id' | 'order'> | undefined): LeadResponse {
  return {
    _id: record._id.toHexString(),
    campaignId: record.campaignId.toHexString(),
    email: record.email,
    firstName: record.firstName,
    lastName: record.lastName,
    companyName: record.companyName,
    jobTitle: record.jobTitle,
    phone: record.phone,
    website: record.website,
    linkedinUrl: record.linkedinUrl,
    city: record.city,
    country: record.country,
    variables: { ...record.variables },
    timezone: record.timezone,
    status: record.status,
    stopReason: record.stopReason,
    resumeAt: record.resumeAt?.toISOString() ?? null,
    verification: record.verification ? toVerification(record.verification) : null,
    mailboxId: record.mailboxId?.toHexString() ?? null,
    step: step ? { id: step._id.toHexString(), order: step.order } : null,
    dueAt: record.dueAt?.toISOString() ?? null,
    sentCount: record.sentCount,
    lastSentAt: record.lastSentAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}
