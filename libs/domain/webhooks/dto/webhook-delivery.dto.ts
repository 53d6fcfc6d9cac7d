import { EVENT_TYPES, type EventType } from '@domain/events';
import { ApiProperty } from '@nestjs/swagger';
import {
  ATTEMPT_TRIGGERS,
  type AttemptTrigger,
  DELIVERY_STATES,
  type DeliveryAttempt,
  type DeliveryState,
  type WebhookDeliveryRecord,
} from '../schemas/webhook-delivery.record';

export class AttemptErrorResponse {
  @ApiProperty({
    type: 'string',
    description:
      'status: the response was not 2xx; otherwise how the request failed: address_refused, dns, connect, ' +
      'tls, timeout, protocol, invalid_url, internal.',
  })
  code!: string;

  @ApiProperty({ type: 'string' })
  message!: string;
}

export class DeliveryResponse {
  @ApiProperty({ type: 'string' })
  _id!: string;

  @ApiProperty({ type: 'string' })
  webhookId!: string;

  @ApiProperty({
    type: 'string',
    description: 'The event; also the `webhook-id` of each attempt and the `id` in the body.',
  })
  eventId!: string;

  @ApiProperty({ type: 'string', enum: EVENT_TYPES })
  event!: EventType;

  @ApiProperty({
    type: 'string',
    enum: DELIVERY_STATES,
    description: 'pending: attempts are left; delivered: the receiver accepted it; failed: given up.',
  })
  state!: DeliveryState;

  @ApiProperty({ type: 'integer', description: 'Attempts so far, manual and scheduled.' })
  attemptCount!: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'HTTP status of the last attempt; null without a response.',
  })
  lastStatus!: number | null;

  @ApiProperty({
    type: AttemptErrorResponse,
    nullable: true,
    description: 'The error of the last attempt; null if it succeeded.',
  })
  lastError!: AttemptErrorResponse | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the next scheduled attempt is due; null if none is left.',
  })
  nextAttemptAt!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When a pending redelivery was requested; null without one.',
  })
  redeliveryRequestedAt!: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    description: 'When the receiver first accepted it.',
  })
  deliveredAt!: string | null;

  @ApiProperty({ type: 'string', format: 'date-time', description: 'Deliveries are kept for 30 days from then on.' })
  createdAt!: string;
}

class DeliveryAttemptResponse {
  @ApiProperty({ type: 'string', format: 'date-time' })
  at!: string;

  @ApiProperty({ type: 'string', enum: ATTEMPT_TRIGGERS, description: 'manual: by a redelivery request.' })
  trigger!: AttemptTrigger;

  @ApiProperty({ type: 'integer' })
  durationMs!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'HTTP status; null without a response.' })
  status!: number | null;

  @ApiProperty({ type: AttemptErrorResponse, nullable: true, description: 'null for a success.' })
  error!: AttemptErrorResponse | null;

  @ApiProperty({ type: 'string', description: 'The beginning of the response, at most 20 kB.' })
  response!: string;

  @ApiProperty({ type: 'boolean', description: 'Whether the response was longer.' })
  truncated!: boolean;
}

export class DeliveryDetailResponse extends DeliveryResponse {
  @ApiProperty({ type: 'string', description: 'The body of each attempt, byte for byte: JSON as text.' })
  body!: string;

  @ApiProperty({ type: [DeliveryAttemptResponse], description: 'Oldest first; the latest 30.' })
  attempts!: DeliveryAttemptResponse[];
}

/** The result of a single request to the receiver. */
export class WebhookTestResponse {
  @ApiProperty({ type: 'boolean', description: 'Whether the receiver accepted it (2xx in time).' })
  delivered!: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'HTTP status; null without a response.' })
  status!: number | null;

  @ApiProperty({ type: 'integer' })
  durationMs!: number;

  @ApiProperty({ type: AttemptErrorResponse, nullable: true, description: 'null for a success.' })
  error!: AttemptErrorResponse | null;

  @ApiProperty({ type: 'string', description: 'The beginning of the response, at most 20 kB.' })
  response!: string;

  @ApiProperty({ type: 'boolean', description: 'Whether the response was longer.' })
  truncated!: boolean;
}

/** A delivery without its large fields: the body, and the responses to the attempts. */
export type ListedDelivery = Omit<WebhookDeliveryRecord, 'body' | 'attempts'> & {
  attempts: Omit<DeliveryAttempt, 'response'>[];
};

export function toDelivery(record: ListedDelivery): Pick<DeliveryResponse, keyof DeliveryResponse> {
  const last = record.attempts.at(-1);
  return {
    _id: record._id.toHexString(),
    webhookId: record.webhookId.toHexString(),
    eventId: record.eventId.toHexString(),
    event: record.type,
    state: record.state,
    attemptCount: record.attemptCount,
    lastStatus: last?.status ?? null,
    lastError: toAttemptError(last?.error),
    nextAttemptAt: record.nextAttemptAt?.toISOString() ?? null,
    redeliveryRequestedAt: record.manualAt?.toISOString() ?? null,
    deliveredAt: record.deliveredAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
  };
}

export function toDeliveryDetail(record: WebhookDeliveryRecord): DeliveryDetailResponse {
  return { ...toDelivery(record), body: record.body, attempts: record.attempts.map(toAttempt) };
}

function toAttempt(attempt: DeliveryAttempt): DeliveryAttemptResponse {
  const { at, trigger, durationMs, status, error, response, truncated } = attempt;
  return { at: at.toISOString(), trigger, durationMs, status, error: toAttemptError(error), response, truncated };
}

export function toWebhookTest(attempt: DeliveryAttempt): WebhookTestResponse {
  const { durationMs, status, error, response, truncated } = attempt;
  return { delivered: error === null, status, durationMs, error: toAttemptError(error), response, truncated };
}

export function toAttemptError(error: DeliveryAttempt['error'] | undefined): DeliveryAttempt['error'] {
  return error ? { code: error.code, message: error.message } : null;
}
