import { type INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { ErrorBody, HttpErrorBody } from './error-response.dto';
import { addWebhooks } from './openapi-webhooks';

const ABOUT = `HTTP JSON API for running cold-email outreach in a workspace. Every request carries \`X-Api-Key\`.
Successful responses are \`{success: true, data}\`; lists add \`pagination\`. Errors carry a stable code.
Any POST may carry an \`Idempotency-Key\`: its first response is stored for 24 hours and replayed.`;

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Repeating the request with the same key (1 to 255 visible ASCII characters) replays the first response for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const;

/** The OpenAPI 3.1 document, built from the classes that validate requests and build responses. */
export function createOpenApiDocument(app: INestApplication, publicUrl: string): OpenAPIObject {
  const base = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Outreach Email Platform API')
    .setDescription(ABOUT)
    .setVersion('1')
    .addServer(publicUrl)
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-Api-Key' }, 'apiKey')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'The same key as in X-Api-Key.' }, 'bearer')
    .build();
  const document = SwaggerModule.createDocument(app, base, {
    extraModels: [ErrorBody, HttpErrorBody],
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}.${method}`,
    autoTagControllers: true,
  });
  for (const { post } of Object.values(document.paths)) post?.parameters?.push({ ...IDEMPOTENCY_KEY });
  return addWebhooks(toVersion31(document));
}

/** OpenAPI 3.1 writes "may be null" as a type; the generator still writes `nullable` of 3.0, which 3.1 ignores. */
function toVersion31<T>(value: T): T {
  if (Array.isArray(value)) return value.map(toVersion31) as T;
  if (typeof value !== 'object' || value === null) return value;
  const { nullable, ...others } = value as Record<string, unknown>;
  const copy = Object.fromEntries(Object.entries(others).map(([name, entry]) => [name, toVersion31(entry)]));
  if (nullable !== true) return (nullable === undefined ? copy : { ...copy, nullable }) as T;
  if (typeof copy['type'] === 'string') return addNull(copy) as T;
  return { anyOf: [copy, { type: 'null' }] } as T;
}

function addNull(schema: Record<string, unknown>): Record<string, unknown> {
  const allowed = schema['enum'];
  return {
    ...schema,
    type: [schema['type'], 'null'],
    ...(Array.isArray(allowed) ? { enum: [...(allowed as unknown[]), null] } : {}),
  };
}
