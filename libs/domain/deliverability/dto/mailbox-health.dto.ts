import { MailboxErrorResponse, type MailboxResponse, MailboxWarmupResponse } from '@domain/mailboxes';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { CHECK_STATUSES, type CheckStatus } from '../check';
import { type HealthReport } from '../health/health-report';
import { type DomainHealthRecord } from '../schemas/domain-health.record';

export class MxRecordResponse {
  @ApiProperty({ type: 'string', description: 'Host; empty for a domain that accepts no mail (RFC 7505).' })
  exchange!: string;

  @ApiProperty({ type: 'integer' })
  priority!: number;
}

class HealthMxResponse {
  @ApiProperty({ type: 'string', enum: CHECK_STATUSES })
  status!: CheckStatus;

  @ApiProperty({ type: MxRecordResponse, isArray: true })
  records!: MxRecordResponse[];
}

const record = {
  type: 'string',
  nullable: true,
  description: 'null: absent or unreadable.',
} as const;

class HealthRecordResponse {
  @ApiProperty({ type: 'string', enum: CHECK_STATUSES })
  status!: CheckStatus;

  @ApiProperty(record)
  record!: string | null;
}

class HealthDkimResponse {
  @ApiProperty({ type: 'string', enum: CHECK_STATUSES })
  status!: CheckStatus;

  @ApiProperty({ type: 'string', nullable: true, description: 'null: unknown.', example: 'google' })
  selector!: string | null;

  @ApiProperty(record)
  record!: string | null;
}

class HealthDnsResponse {
  @ApiProperty({ type: HealthMxResponse })
  mx!: HealthMxResponse;

  @ApiProperty({ type: HealthRecordResponse })
  spf!: HealthRecordResponse;

  @ApiProperty({ type: HealthDkimResponse })
  dkim!: HealthDkimResponse;

  @ApiProperty({ type: HealthRecordResponse })
  dmarc!: HealthRecordResponse;

  @ApiProperty({ type: 'integer', description: '0 to 100; 0 before the first result.' })
  healthScore!: number;
}

class HealthWarmupResponse extends PickType(MailboxWarmupResponse, [
  'enabled',
  'status',
  'currentDay',
  'currentVolume',
]) {
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Metrics as in the mailbox; empty before the first measurement.',
  })
  metrics!: Record<string, unknown>;
}

class HealthDeliverabilityResponse {
  @ApiProperty({ type: 'number', description: 'Bounced share of all sent emails, 0 to 1.' })
  bounceRate!: number;

  @ApiProperty({ type: 'integer' })
  totalSent!: number;

  @ApiProperty({ type: 'integer' })
  totalReceived!: number;

  @ApiProperty({ type: 'integer', description: 'Consecutive failed connection attempts.' })
  consecutiveFailures!: number;
}

/** Fields of the contract only; the report has all findings. */
export class MailboxHealthResponse {
  @ApiProperty({ type: 'string' })
  email!: string;

  @ApiProperty({ type: 'string', enum: ['active', 'paused', 'error', 'disconnected'] })
  status!: string;

  @ApiProperty({ type: 'boolean' })
  sendingEnabled!: boolean;

  @ApiProperty({
    type: HealthDnsResponse,
    description: 'Result for its domain. `unknown`: not checked yet, or no answer.',
  })
  dns!: HealthDnsResponse;

  @ApiProperty({ type: HealthWarmupResponse })
  warmup!: HealthWarmupResponse;

  @ApiProperty({ type: HealthDeliverabilityResponse })
  deliverability!: HealthDeliverabilityResponse;

  @ApiProperty({ type: 'integer', description: 'Highest number of emails a day.' })
  dailySendLimit!: number;

  @ApiProperty({ type: 'integer', description: 'Emails of the current day in the mailbox’s time zone.' })
  sentToday!: number;

  @ApiProperty({ type: MailboxErrorResponse, nullable: true })
  lastError!: MailboxErrorResponse | null;
}

/** @param health null before the domain is enrolled */
export function toMailboxHealth(
  mailbox: MailboxResponse,
  consecutiveFailures: number,
  health: DomainHealthRecord | null,
): MailboxHealthResponse {
  const { warmup } = mailbox;
  return {
    email: mailbox.email,
    status: mailbox.status,
    sendingEnabled: mailbox.sendingEnabled,
    dns: toDns(health),
    warmup: {
      enabled: warmup.enabled,
      status: warmup.status,
      currentDay: warmup.currentDay,
      currentVolume: warmup.currentVolume,
      metrics: warmup.metrics.lastCalculatedAt === null ? {} : Object.fromEntries(Object.entries(warmup.metrics)),
    },
    deliverability: {
      bounceRate: mailbox.bounceRate,
      totalSent: mailbox.totalSent,
      totalReceived: mailbox.totalReceived,
      consecutiveFailures,
    },
    dailySendLimit: mailbox.dailySendLimit,
    sentToday: mailbox.sentToday,
    lastError: mailbox.lastError,
  };
}

const UNKNOWN = { mx: 'unknown', spf: 'unknown', dkim: 'unknown', dmarc: 'unknown' } as const;

function toDns(health: DomainHealthRecord | null): HealthDnsResponse {
  const { mx, spf, dkim, dmarc } = health?.statuses ?? UNKNOWN;
  const report: HealthReport | null = health?.report ?? null;
  return {
    mx: {
      status: mx,
      records: (report?.mx.records ?? []).map(({ exchange, priority }) => ({ exchange, priority })),
    },
    spf: { status: spf, record: report?.spf.record ?? null },
    dkim: { status: dkim, selector: report?.dkim.selector ?? null, record: report?.dkim.record ?? null },
    dmarc: { status: dmarc, record: report?.dmarc.record ?? null },
    healthScore: health?.healthScore ?? 0,
  };
}
