import { MailboxErrorResponse, type MailboxResponse, MailboxWarmupResponse } from '@domain/mailboxes';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { CHECK_STATUSES, type CheckStatus } from '../check';
import { type HealthReport } from '../health/health-report';
import { type DomainHealthRecord } from '../schemas/domain-health.record';

export class MxRecordResponse {
  @ApiProperty({ type: 'string', description: 'Host; empty where the domain says that it takes no mail (RFC 7505).' })
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
  description: 'null: there is none, or it could not be read.',
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

  @ApiProperty({ type: 'string', nullable: true, description: 'null: none is known.', example: 'google' })
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

  @ApiProperty({ type: 'integer', description: '0 to 100; 0 as long as nothing is known.' })
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
    description: 'As the mailbox shows them; empty until something was measured.',
  })
  metrics!: Record<string, unknown>;
}

class HealthDeliverabilityResponse {
  @ApiProperty({ type: 'number', description: 'Bounced of all that was sent, 0 to 1.' })
  bounceRate!: number;

  @ApiProperty({ type: 'integer' })
  totalSent!: number;

  @ApiProperty({ type: 'integer' })
  totalReceived!: number;

  @ApiProperty({ type: 'integer', description: 'Attempts in a row to reach the mailbox that failed.' })
  consecutiveFailures!: number;
}

/** The contract’s, field by field: what else a check finds is in its report. */
export class MailboxHealthResponse {
  @ApiProperty({ type: 'string' })
  email!: string;

  @ApiProperty({ type: 'string', enum: ['active', 'paused', 'error', 'disconnected'] })
  status!: string;

  @ApiProperty({ type: 'boolean' })
  sendingEnabled!: boolean;

  @ApiProperty({
    type: HealthDnsResponse,
    description: 'Of its domain. `unknown`: not checked yet, or no answer.',
  })
  dns!: HealthDnsResponse;

  @ApiProperty({ type: HealthWarmupResponse })
  warmup!: HealthWarmupResponse;

  @ApiProperty({ type: HealthDeliverabilityResponse })
  deliverability!: HealthDeliverabilityResponse;

  @ApiProperty({ type: 'integer', description: 'Most emails per day.' })
  dailySendLimit!: number;

  @ApiProperty({ type: 'integer', description: 'Emails of this day in the mailbox’s own zone.' })
  sentToday!: number;

  @ApiProperty({ type: MailboxErrorResponse, nullable: true })
  lastError!: MailboxErrorResponse | null;
}

/** @param health null while nobody has looked at the domain */
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
