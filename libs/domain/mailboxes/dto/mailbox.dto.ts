import { ApiProperty } from '@nestjs/swagger';
import {
  CONNECTION_TYPES,
  type ConnectionType,
  MAILBOX_PROVIDERS,
  MAILBOX_STATUSES,
  type MailboxError,
  type MailboxProvider,
  type MailboxRecord,
  type MailboxStatus,
  type MailboxWarmup,
} from '../schemas/mailbox.record';

/** Numeric warmup metrics; 0 before the first measurement. */
const METRICS = [
  'totalEmailsSent',
  'inboxRate',
  'spamRate',
  'promotionsRate',
  'replyRate',
  'totalRepliesReceived',
  'blockRate',
  'bounceRate',
  'deferralRate',
  'openRate',
] as const;

class WarmupConfigResponse {
  @ApiProperty({ type: 'integer' })
  startingVolume!: number;

  @ApiProperty({ type: 'integer' })
  dailyIncrease!: number;

  @ApiProperty({ type: 'integer' })
  targetVolume!: number;
}

class WarmupMetricsResponse implements Record<(typeof METRICS)[number], number> {
  @ApiProperty({ type: 'number' })
  totalEmailsSent!: number;

  @ApiProperty({ type: 'number' })
  inboxRate!: number;

  @ApiProperty({ type: 'number' })
  spamRate!: number;

  @ApiProperty({ type: 'number' })
  promotionsRate!: number;

  @ApiProperty({ type: 'number' })
  replyRate!: number;

  @ApiProperty({ type: 'number' })
  totalRepliesReceived!: number;

  @ApiProperty({ type: 'number' })
  blockRate!: number;

  @ApiProperty({ type: 'number' })
  bounceRate!: number;

  @ApiProperty({ type: 'number' })
  deferralRate!: number;

  @ApiProperty({ type: 'number' })
  openRate!: number;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true })
  lastCalculatedAt!: string | null;
}

export class MailboxWarmupResponse {
  @ApiProperty({ type: 'boolean' })
  enabled!: boolean;

  @ApiProperty({ type: 'string' })
  status!: string;

  @ApiProperty({ type: 'integer' })
  currentDay!: number;

  @ApiProperty({ type: 'integer' })
  currentVolume!: number;

  @ApiProperty({ type: WarmupConfigResponse })
  config!: WarmupConfigResponse;

  @ApiProperty({ type: WarmupMetricsResponse })
  metrics!: WarmupMetricsResponse;
}

class SetupCheckResponse {
  @ApiProperty({ type: 'string', enum: ['pass', 'warn', 'fail', 'unknown'] })
  status!: string;
}

class SetupStatusResponse {
  @ApiProperty({ type: 'integer' })
  healthScore!: number;

  @ApiProperty({ type: SetupCheckResponse })
  mx!: SetupCheckResponse;

  @ApiProperty({ type: SetupCheckResponse })
  spf!: SetupCheckResponse;

  @ApiProperty({ type: SetupCheckResponse })
  dkim!: SetupCheckResponse;

  @ApiProperty({ type: SetupCheckResponse })
  dmarc!: SetupCheckResponse;
}

export class MailboxErrorResponse {
  @ApiProperty({ type: 'string', nullable: true, description: 'Code in the reply of the server.' })
  code!: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'The command that the server replied to.' })
  command!: string | null;

  @ApiProperty({ type: 'string', description: 'The reply of the server.' })
  response!: string;

  @ApiProperty({ type: 'string', description: 'Explanation in one sentence.' })
  message!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;
}

const ownServer = { nullable: true, description: 'null for a mailbox that is connected by OAuth.' };

export class MailboxResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  email!: string;

  @ApiProperty({ type: 'string' })
  displayName!: string;

  @ApiProperty({ type: 'string', enum: MAILBOX_PROVIDERS })
  provider!: MailboxProvider;

  @ApiProperty({
    type: 'string',
    enum: MAILBOX_STATUSES,
    description: 'error: the last attempts to connect failed and are retried; disconnected: it needs attention.',
  })
  status!: MailboxStatus;

  @ApiProperty({ type: 'string', enum: CONNECTION_TYPES })
  connectionType!: ConnectionType;

  @ApiProperty({ type: 'integer', description: 'Maximum emails per day.' })
  dailySendLimit!: number;

  @ApiProperty({ type: 'integer', description: 'Emails sent today in the mailbox’s time zone.' })
  sentToday!: number;

  @ApiProperty({ type: 'boolean' })
  sendingEnabled!: boolean;

  @ApiProperty({ type: 'string', description: 'HTML.' })
  signature!: string;

  @ApiProperty({ type: 'string', ...ownServer })
  smtpHost!: string | null;

  @ApiProperty({ type: 'integer', ...ownServer })
  smtpPort!: number | null;

  @ApiProperty({ type: 'boolean', ...ownServer })
  smtpSecure!: boolean | null;

  @ApiProperty({ type: 'string', ...ownServer })
  imapHost!: string | null;

  @ApiProperty({ type: 'integer', ...ownServer })
  imapPort!: number | null;

  @ApiProperty({ type: 'boolean', ...ownServer })
  imapSecure!: boolean | null;

  @ApiProperty({ type: MailboxWarmupResponse })
  warmup!: MailboxWarmupResponse;

  @ApiProperty({ type: 'string', isArray: true })
  tags!: string[];

  @ApiProperty({ type: 'number', description: 'Bounced emails divided by sent emails, 0 to 1.' })
  bounceRate!: number;

  @ApiProperty({ type: 'integer' })
  totalSent!: number;

  @ApiProperty({ type: 'integer' })
  totalReceived!: number;

  @ApiProperty({ type: SetupStatusResponse })
  setupStatus!: SetupStatusResponse;

  @ApiProperty({ type: MailboxErrorResponse, nullable: true })
  lastError!: MailboxErrorResponse | null;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updatedAt!: string;
}

/** Copies field by field, so that no field outside the contract leaks, credentials above all. */
export function toMailbox(record: MailboxRecord, sentToday: number): MailboxResponse {
  const { setup } = record;
  return {
    _id: record._id.toHexString(),
    email: record.email,
    displayName: record.displayName,
    provider: record.provider,
    status: record.status,
    connectionType: record.connectionType,
    dailySendLimit: record.dailySendLimit,
    sentToday,
    sendingEnabled: record.sendingEnabled,
    signature: record.signature,
    smtpHost: record.smtpHost,
    smtpPort: record.smtpPort,
    smtpSecure: record.smtpSecure,
    imapHost: record.imapHost,
    imapPort: record.imapPort,
    imapSecure: record.imapSecure,
    warmup: toWarmup(record.warmup),
    tags: [...record.tags],
    bounceRate: record.totalSent === 0 ? 0 : record.totalBounced / record.totalSent,
    totalSent: record.totalSent,
    totalReceived: record.totalReceived,
    setupStatus: {
      healthScore: setup.healthScore,
      mx: { status: setup.mx },
      spf: { status: setup.spf },
      dkim: { status: setup.dkim },
      dmarc: { status: setup.dmarc },
    },
    lastError: toMailboxError(record.lastError),
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

function toMailboxError(error: MailboxError | null): MailboxErrorResponse | null {
  if (error === null) return null;
  const { code, command, response, message, at } = error;
  return { code, command, response, message, at: at.toISOString() };
}

function toWarmup({
  enabled,
  status,
  currentDay,
  currentVolume,
  config,
  metrics,
}: MailboxWarmup): MailboxWarmupResponse {
  const { startingVolume, dailyIncrease, targetVolume } = config;
  const { lastCalculatedAt } = metrics;
  const numbers = METRICS.map((name) => [name, Number(metrics[name] ?? 0)] as const);
  return {
    enabled,
    status,
    currentDay,
    currentVolume,
    config: { startingVolume, dailyIncrease, targetVolume },
    metrics: {
      ...(Object.fromEntries(numbers) as Record<(typeof METRICS)[number], number>),
      lastCalculatedAt: lastCalculatedAt instanceof Date ? lastCalculatedAt.toISOString() : null,
    },
  };
}
