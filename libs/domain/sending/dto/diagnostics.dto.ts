import { type CampaignProblem, type CampaignRecord, type CampaignStatus, type LeadTally } from '@domain/campaigns';
import { ApiProperty } from '@nestjs/swagger';
import { type Reason, REASON_NAMES, REASONS } from '../explain/reasons';
import { type MailboxEligibility } from '../explain/eligibility-evaluator.service';
import { SenderResponse, toSender } from './explanation.dto';

const STATUSES = ['draft', 'active', 'paused', 'completed', 'archived'] as const satisfies readonly CampaignStatus[];

class LeadTalliesResponse implements Record<LeadTally, number> {
  @ApiProperty({ type: 'integer' })
  total!: number;

  @ApiProperty({ type: 'integer' })
  active!: number;

  @ApiProperty({ type: 'integer' })
  paused!: number;

  @ApiProperty({ type: 'integer' })
  completed!: number;

  @ApiProperty({ type: 'integer' })
  bounced!: number;

  @ApiProperty({ type: 'integer' })
  removed!: number;
}

export class ReasonCountResponse {
  @ApiProperty({ type: 'string', enum: REASON_NAMES })
  reason!: Reason;

  @ApiProperty({ type: 'string' })
  message!: string;

  @ApiProperty({ type: 'integer' })
  count!: number;

  @ApiProperty({ type: 'boolean', description: 'Whether there may be more: not all leads were counted.' })
  capped!: boolean;
}

class DiagnosedProblemResponse {
  @ApiProperty({ type: 'string' })
  code!: string;

  @ApiProperty({ type: 'string' })
  message!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;
}

class DiagnosedMailboxResponse extends SenderResponse {
  @ApiProperty({ type: 'boolean', description: 'Whether it can send something of the campaign now.' })
  available!: boolean;

  @ApiProperty({ type: 'string', nullable: true, enum: [...REASON_NAMES, null], description: 'Why it can not.' })
  reason!: Reason | null;

  @ApiProperty({ type: 'string', nullable: true })
  message!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The reply of the mail server, if it is the cause.' })
  detail!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When it can be sent; null: not without a change.',
  })
  nextEligibleAt!: string | null;
}

class ConstraintResponse {
  @ApiProperty({ type: 'string', enum: REASON_NAMES })
  reason!: Reason;

  @ApiProperty({ type: 'string' })
  message!: string;
}

/** The state of a campaign, and what keeps it from sending. */
export class DiagnosticsResponse {
  @ApiProperty({ type: 'string', enum: STATUSES })
  status!: CampaignStatus;

  @ApiProperty({ type: LeadTalliesResponse, description: 'Leads by status.' })
  leads!: LeadTalliesResponse;

  @ApiProperty({ type: [ReasonCountResponse], description: 'What active leads wait for.' })
  waiting!: ReasonCountResponse[];

  @ApiProperty({ type: [ReasonCountResponse], description: 'Why leads were stopped or paused.' })
  stopped!: ReasonCountResponse[];

  @ApiProperty({ type: [DiagnosedMailboxResponse] })
  mailboxes!: DiagnosedMailboxResponse[];

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When a server last accepted an email of the campaign.',
  })
  lastHealthySendAt!: string | null;

  @ApiProperty({ type: DiagnosedProblemResponse, nullable: true, description: 'A problem that a person must solve.' })
  problem!: DiagnosedProblemResponse | null;

  @ApiProperty({ type: ConstraintResponse, nullable: true, description: 'What binds now; null while it is sending.' })
  constraint!: ConstraintResponse | null;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'When the next email can go.' })
  nextEligibleAt!: string | null;
}

export function toReasonCount(reason: Reason, count: number, capped: boolean): ReasonCountResponse {
  return { reason, message: REASONS[reason], count, capped };
}

function toProblem(problem: CampaignProblem | null): DiagnosedProblemResponse | null {
  return problem && { code: problem.code, message: problem.message, at: problem.at.toISOString() };
}

function toDiagnosedMailbox({ mailbox, opening }: MailboxEligibility): DiagnosedMailboxResponse {
  const { _id, email } = toSender(mailbox);
  if (opening.kind === 'open') {
    return { _id, email, available: true, reason: null, message: null, detail: null, nextEligibleAt: null };
  }
  const { reason, nextEligibleAt, limits } = opening;
  return {
    _id,
    email,
    available: false,
    reason,
    message: REASONS[reason],
    detail: limits.find(({ binding }) => binding)?.detail ?? null,
    nextEligibleAt: nextEligibleAt?.toISOString() ?? null,
  };
}

export function toDiagnostics(
  { status, problem }: CampaignRecord,
  {
    leads,
    constraint,
    nextEligibleAt,
    lastHealthySendAt,
    mailboxes,
    ...counts
  }: {
    leads: Record<LeadTally, number>;
    waiting: ReasonCountResponse[];
    stopped: ReasonCountResponse[];
    mailboxes: readonly MailboxEligibility[];
    lastHealthySendAt: Date | null;
    constraint: Reason | null;
    nextEligibleAt: Date | null;
  },
): DiagnosticsResponse {
  const { total, active, paused, completed, bounced, removed } = leads;
  return {
    status,
    leads: { total, active, paused, completed, bounced, removed },
    waiting: counts.waiting,
    stopped: counts.stopped,
    mailboxes: mailboxes.map(toDiagnosedMailbox),
    lastHealthySendAt: lastHealthySendAt?.toISOString() ?? null,
    problem: toProblem(problem),
    constraint: constraint && { reason: constraint, message: REASONS[constraint] },
    nextEligibleAt: nextEligibleAt?.toISOString() ?? null,
  };
}
