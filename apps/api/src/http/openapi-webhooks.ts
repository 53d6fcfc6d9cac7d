import { EVENT_TYPES, type EventType } from '@domain/events';
import { getMessageSchema, createSampleEvent } from '@domain/webhooks';
import { type OpenAPIObject } from '@nestjs/swagger';

const TAG = {
  name: 'Messages to webhooks',
  description:
    'Sent to every active webhook that is subscribed to them (docs/users/webhooks.md), signed as Standard Webhooks ' +
    '(https://www.standardwebhooks.com) has it. They may come more than once and in any order: `webhook-id` says whether one ' +
    'has come before, `timestamp` when it happened.',
};

const HEADERS = {
  WebhookId: header(
    'webhook-id',
    'Of the event, the same at every attempt: whoever has seen it has seen the event.',
    '6740a1b2c3d4e5f607182900',
  ),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'When this attempt was made, in seconds since 1970. A message that is old may be one that somebody replays.',
    String(Date.parse('2026-11-21T10:15:01Z') / 1_000),
  ),
  WebhookSignature: header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`; the key is the webhook’s secret after ' +
      '`whsec_`, read as base64. For 24 hours after a rotation there are two, separated by a space: one has to be right.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

const ANSWERS = {
  '2XX': answer(
    'Taken',
    'It was taken and is not sent again. The body does not matter; its beginning is kept in the log.',
  ),
  '3XX': answer('Redirected', 'A failure: redirects are not followed. It is tried again.'),
  '410': answer('Gone', 'The receiver is gone for good: the webhook is made inactive (`webhook.disabled`).'),
  '429': answer('Wait', 'It is tried again, and nothing more is sent to the webhook before `Retry-After`.'),
  '503': answer('Wait', 'It is tried again, and nothing more is sent to the webhook before `Retry-After`.'),
  default: answer(
    'Failed',
    'A failure, as is no answer within `timeoutMs`. It is tried again, `retryAttempts` times, over some four days at most.',
  ),
};

function header(name: string, description: string, example: string) {
  return { name, in: 'header', required: true, description, example, schema: { type: 'string' } };
}

function answer(name: string, description: string) {
  return { name: `Message${name}`, description };
}

/** `EmailSentMessage` for `email.sent`. */
function nameOf(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Message`;
}

/** What webhooks are sent, made from what the compiler checks where events are recorded. */
export function withWebhooks(document: OpenAPIObject): OpenAPIObject {
  const { components, tags } = document;
  const schemas = Object.fromEntries(EVENT_TYPES.map((type) => [nameOf(type), getMessageSchema(type)]));
  const responses = Object.fromEntries(Object.values(ANSWERS).map(({ name, description }) => [name, { description }]));
  return {
    ...document,
    tags: [...(tags ?? []), TAG],
    webhooks: Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: operationOf(type) }])),
    components: {
      ...components,
      schemas: { ...components?.schemas, ...schemas },
      parameters: { ...components?.parameters, ...HEADERS },
      responses: { ...components?.responses, ...responses },
    },
  } as OpenAPIObject;
}

function operationOf(type: EventType) {
  const schema = { $ref: `#/components/schemas/${nameOf(type)}` };
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
