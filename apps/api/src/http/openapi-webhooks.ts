import { EVENT_TYPES, type EventType } from '@domain/events';
import { getMessageSchema, createSampleEvent } from '@domain/webhooks';
import { type OpenAPIObject } from '@nestjs/swagger';

const TAG = {
  name: 'Messages to webhooks',
  description:
    'Posted to every active webhook that subscribes to the event (docs/users/webhooks.md), signed as defined by ' +
    'Standard Webhooks (https://www.standardwebhooks.com). Messages can be repeated and arrive in any order: ' +
    '`webhook-id` identifies repetitions, `timestamp` is the time of the event.',
};

const HEADERS = {
  WebhookId: createHeader(
    'webhook-id',
    'Id of the event, equal in every attempt: a receiver that knows it has processed the event.',
    '6740a1b2c3d4e5f607182900',
  ),
  WebhookTimestamp: createHeader(
    'webhook-timestamp',
    'Time of this attempt in seconds since 1970. An old timestamp may indicate a replay attack.',
    String(Date.parse('2026-11-21T10:15:01Z') / 1_000),
  ),
  WebhookSignature: createHeader(
    'webhook-signature',
    '`v1,` and the Base64 of the HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`; the key is the webhook’s secret ' +
      'after `whsec_`, decoded as Base64. For 24 hours after a rotation there are two, separated by a space: one must match.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

const ANSWERS = {
  '2XX': createResponse(
    'Taken',
    'Accepted; the message is not sent again. The body is ignored; its beginning is stored in the delivery log.',
  ),
  '3XX': createResponse('Redirected', 'A failure, because redirects are not followed. The delivery is retried.'),
  '410': createResponse('Gone', 'The receiver is permanently gone: the webhook is disabled (`webhook.disabled`).'),
  '429': createResponse('Wait', 'The delivery is retried; the webhook receives nothing before `Retry-After`.'),
  '503': createResponse('Wait', 'The delivery is retried; the webhook receives nothing before `Retry-After`.'),
  default: createResponse(
    'Failed',
    'A failure, like no response within `timeoutMs`. The delivery is retried `retryAttempts` times, over at most about four days.',
  ),
};

function createHeader(name: string, description: string, example: string) {
  return { name, in: 'header', required: true, description, example, schema: { type: 'string' } };
}

function createResponse(name: string, description: string) {
  return { name: `Message${name}`, description };
}

/** `EmailSentMessage` for `email.sent`. */
function getSchemaName(type: EventType): string {
  const parts = type.split(/[._]/).map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return `${parts.join('')}Message`;
}

/** Messages to webhooks, built from the event data that the compiler checks at recording. */
export function addWebhooks(document: OpenAPIObject): OpenAPIObject {
  const { components, tags } = document;
  const schemas = Object.fromEntries(EVENT_TYPES.map((type) => [getSchemaName(type), getMessageSchema(type)]));
  const responses = Object.fromEntries(Object.values(ANSWERS).map(({ name, description }) => [name, { description }]));
  return {
    ...document,
    tags: [...(tags ?? []), TAG],
    webhooks: Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: createOperation(type) }])),
    components: {
      ...components,
      schemas: { ...components?.schemas, ...schemas },
      parameters: { ...components?.parameters, ...HEADERS },
      responses: { ...components?.responses, ...responses },
    },
  } as OpenAPIObject;
}

function createOperation(type: EventType) {
  const schema = { $ref: `#/components/schemas/${getSchemaName(type)}` };
  return {
    operationId: `Message.${type}`,
    summary: String(getMessageSchema(type)['description']),
    tags: [TAG.name],
    security: [],
    parameters: Object.keys(HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: { required: true, content: { 'application/json': { schema, example: createSampleEvent(type) } } },
    responses: Object.fromEntries(
      Object.entries(ANSWERS).map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
    ),
  };
}
