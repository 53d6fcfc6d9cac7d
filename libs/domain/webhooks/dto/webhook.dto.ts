import { EVENT_TYPES, type EventType } from '@domain/events';
import { ApiProperty } from '@nestjs/swagger';
import { WEBHOOK_STATUSES, type WebhookRecord, type WebhookStats, type WebhookStatus } from '../schemas/webhook.record';

export class WebhookStatsResponse {
  @ApiProperty({ type: 'integer', description: 'Deliveries that the receiver accepted, each once.' })
  totalDelivered!: number;

  @ApiProperty({ type: 'integer', description: 'Deliveries that were given up.' })
  totalFailed!: number;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, description: 'null when there was none.' })
  lastDeliveredAt!: string | null;
}

export class WebhookResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  workspaceId!: string;

  @ApiProperty({ type: 'string' })
  name!: string;

  @ApiProperty({ type: 'string', format: 'uri' })
  url!: string;

  @ApiProperty({ type: 'string', enum: EVENT_TYPES, isArray: true, description: 'Subscribed events.' })
  events!: EventType[];

  @ApiProperty({ type: 'string', description: 'Signs each request (Standard Webhooks).' })
  secret!: string;

  @ApiProperty({ type: 'integer', description: 'Retries after the first attempt.' })
  retryAttempts!: number;

  @ApiProperty({ type: 'integer', description: 'Maximum time for a response in milliseconds.' })
  timeoutMs!: number;

  @ApiProperty({
    type: 'string',
    enum: WEBHOOK_STATUSES,
    description: 'The health endpoint returns why it is inactive.',
  })
  status!: WebhookStatus;

  @ApiProperty({ type: 'string', description: 'User id of the creator.' })
  createdBy!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt!: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  updatedAt!: string;
}

export class ListedWebhookResponse extends WebhookResponse {
  @ApiProperty({ type: WebhookStatsResponse })
  stats!: WebhookStatsResponse;
}

/** @param secret opened */
export function toWebhook(record: WebhookRecord, secret: string): Pick<WebhookResponse, keyof WebhookResponse> {
  return {
    _id: record._id.toHexString(),
    workspaceId: record.workspaceId.toHexString(),
    name: record.name,
    url: record.url,
    events: [...record.events],
    secret,
    retryAttempts: record.retryAttempts,
    timeoutMs: record.timeoutMs,
    status: record.status,
    createdBy: record.createdBy,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
  };
}

/** @param secret opened */
export function toListedWebhook(record: WebhookRecord, secret: string): ListedWebhookResponse {
  return { ...toWebhook(record, secret), stats: toWebhookStats(record.stats) };
}

export function toWebhookStats({ totalDelivered, totalFailed, lastDeliveredAt }: WebhookStats): WebhookStatsResponse {
  return { totalDelivered, totalFailed, lastDeliveredAt: lastDeliveredAt?.toISOString() ?? null };
}
