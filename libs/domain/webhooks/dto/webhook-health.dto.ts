import { ApiProperty } from '@nestjs/swagger';
import { REPLAY_SCOPES, type ReplayScope, type WebhookReplayRecord } from '../schemas/webhook-replay.record';
import {
  DISABLED_REASONS,
  type DisabledReason,
  WEBHOOK_STATUSES,
  type WebhookRecord,
  type WebhookStatus,
} from '../schemas/webhook.record';
import { AttemptErrorResponse, toAttemptError } from './webhook-delivery.dto';
import { toWebhookStats, WebhookStatsResponse } from './webhook.dto';

export class ReplayResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  webhookId!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  from!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  to!: string;

  @ApiProperty({ type: 'string', enum: REPLAY_SCOPES })
  scope!: ReplayScope;

  @ApiProperty({ type: 'integer', description: 'Deliveries restarted or created so far.' })
  scheduled!: number;

  @ApiProperty({ type: 'string', format: 'date-time' })
  startedAt!: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description:
      'When all deliveries were scheduled; null while the replay runs. Deliveries may still be pending then.',
  })
  completedAt!: string | null;
}

class WebhookLastErrorResponse extends AttemptErrorResponse {
  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'HTTP status; null without a response.' })
  status!: number | null;
}

/** The health of a webhook. */
export class WebhookHealthResponse {
  @ApiProperty({ type: 'string' })
  webhookId!: string;

  @ApiProperty({ type: 'string', enum: WEBHOOK_STATUSES })
  status!: WebhookStatus;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'Since when it is inactive.' })
  disabledAt!: string | null;

  @ApiProperty({
    type: 'string',
    enum: DISABLED_REASONS,
    nullable: true,
    description:
      'person: a person deactivated it; gone: the receiver answered 410; failing: every attempt failed for 5 days.',
  })
  disabledReason!: DisabledReason | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Since when every attempt has failed.',
  })
  failingSince!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'The receiver asked for a pause until then (`Retry-After`).',
  })
  cooldownUntil!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'Until then, the secret before the last rotation also signs.',
  })
  previousSecretUntil!: string | null;

  @ApiProperty({ type: 'integer', description: 'Deliveries that have attempts left.' })
  pending!: number;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the oldest pending delivery was created.',
  })
  oldestPendingAt!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the first pending delivery is due.',
  })
  nextAttemptAt!: string | null;

  @ApiProperty({
    type: WebhookLastErrorResponse,
    nullable: true,
    description: 'The last failed attempt, even if later attempts succeeded.',
  })
  lastError!: WebhookLastErrorResponse | null;

  @ApiProperty({ type: WebhookStatsResponse })
  stats!: WebhookStatsResponse;

  @ApiProperty({ type: ReplayResponse, nullable: true, description: 'The current or last replay.' })
  replay!: ReplayResponse | null;
}

/** The open deliveries of a webhook. */
export interface Backlog {
  readonly pending: number;
  readonly oldestAt: Date | null;
  readonly nextAttemptAt: Date | null;
}

export function toReplay(record: WebhookReplayRecord): ReplayResponse {
  return {
    _id: record.replayId.toHexString(),
    webhookId: record._id.toHexString(),
    from: record.from.toISOString(),
    to: record.to.toISOString(),
    scope: record.scope,
    scheduled: record.scheduled,
    startedAt: record.startedAt.toISOString(),
    completedAt: record.completedAt?.toISOString() ?? null,
  };
}

export function toWebhookHealth(
  record: WebhookRecord,
  backlog: Backlog,
  replay: WebhookReplayRecord | null,
  now: Date,
): WebhookHealthResponse {
  const { status, disabledAt, disabledReason, failingSince, lastError } = record;
  return {
    webhookId: record._id.toHexString(),
    status,
    disabledAt: disabledAt?.toISOString() ?? null,
    disabledReason,
    failingSince: failingSince?.toISOString() ?? null,
    cooldownUntil: ahead(record.cooldownUntil, now),
    previousSecretUntil: ahead(record.previousSecretUntil, now),
    pending: backlog.pending,
    oldestPendingAt: backlog.oldestAt?.toISOString() ?? null,
    nextAttemptAt: backlog.nextAttemptAt?.toISOString() ?? null,
    lastError: toLastError(lastError),
    stats: toWebhookStats(record.stats),
    replay: replay && toReplay(replay),
  };
}

function toLastError(lastError: WebhookRecord['lastError']): WebhookLastErrorResponse | null {
  const error = toAttemptError(lastError?.error);
  return lastError && error && { ...error, at: lastError.at.toISOString(), status: lastError.status };
}

/** Returns the instant if it is in the future; null otherwise. */
function ahead(at: Date | null, now: Date): string | null {
  return at && at > now ? at.toISOString() : null;
}
